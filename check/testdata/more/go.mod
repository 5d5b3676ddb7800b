module more

go 1.21
