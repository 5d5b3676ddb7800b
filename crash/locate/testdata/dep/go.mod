module gopkg.in/dep.v3

go 1.21
