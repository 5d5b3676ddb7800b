module library

go 1.23
