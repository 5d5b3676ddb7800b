module app

go 1.25

require github.com/pdfcpu/pdfcpu v0.3.9

require (
	github.com/hhrutter/lzw v0.0.0-20190829144645-6f07a24e8650 // indirect
	github.com/hhrutter/tiff v0.0.0-20190829141212-736cae8d0bc7 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	golang.org/x/image v0.0.0-20200927104501-e162460cd6b5 // indirect
	gopkg.in/yaml.v2 v2.3.0 // indirect
)
