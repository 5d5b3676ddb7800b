module app

go 1.25

require github.com/sijms/go-ora/v2 v2.8.19
