module example.com/repro

go 1.25

require github.com/r3labs/diff/v2 v2.14.0

require (
	github.com/golang/protobuf v1.3.1 // indirect
	github.com/vmihailenco/msgpack v4.0.4+incompatible // indirect
	golang.org/x/net v0.0.0-20190603091049-60506f45cf65 // indirect
	google.golang.org/appengine v1.6.6 // indirect
)
