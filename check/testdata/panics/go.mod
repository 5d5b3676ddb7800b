module panics

go 1.23
