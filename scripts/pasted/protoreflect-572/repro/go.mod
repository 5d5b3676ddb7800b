module app

go 1.25

require github.com/jhump/protoreflect v1.15.2

require (
	github.com/bufbuild/protocompile v0.6.0 // indirect
	github.com/golang/protobuf v1.5.3 // indirect
	golang.org/x/sync v0.3.0 // indirect
	google.golang.org/protobuf v1.31.0 // indirect
)
