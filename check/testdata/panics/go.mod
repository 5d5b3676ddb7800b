module panics

go 1.22
