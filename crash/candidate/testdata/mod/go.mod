module executed

go 1.20
