module example.com/repro

go 1.25

require github.com/signintech/gopdf v0.16.1

require (
	github.com/phpdave11/gofpdi v1.0.14-0.20211212211723-1f10f9844311 // indirect
	github.com/pkg/errors v0.8.1 // indirect
)
