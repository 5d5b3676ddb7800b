module example.com/literals.v1

go 1.24
