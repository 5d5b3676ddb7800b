module app

go 1.25

require github.com/phpdave11/gofpdi v1.0.13

require github.com/pkg/errors v0.8.1 // indirect
