module tested

go 1.20
