module example.com/names.v1

go 1.24
