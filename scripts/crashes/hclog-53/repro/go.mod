module app

go 1.26

require github.com/hashicorp/go-hclog v0.10.0

require (
	github.com/fatih/color v1.7.0 // indirect
	github.com/mattn/go-colorable v0.1.4 // indirect
	github.com/mattn/go-isatty v0.0.10 // indirect
	golang.org/x/sys v0.0.0-20191008105621-543471e840be // indirect
)
