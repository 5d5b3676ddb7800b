module used

go 1.22
