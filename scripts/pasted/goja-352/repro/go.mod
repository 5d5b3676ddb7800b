module example.com/repro

go 1.25

require github.com/dop251/goja v0.0.0-20211207134806-acd374ca9c94

require (
	github.com/dlclark/regexp2 v1.4.1-0.20201116162257-a2a8dda75c91 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	golang.org/x/text v0.3.6 // indirect
)
