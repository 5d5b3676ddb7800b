module app

go 1.25

require github.com/gosuri/uiprogress v0.0.1

require (
	github.com/gosuri/uilive v0.0.4 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	golang.org/x/sys v0.28.0 // indirect
)
