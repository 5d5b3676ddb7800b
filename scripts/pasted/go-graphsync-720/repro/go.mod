module app

go 1.25

require github.com/ipfs/go-graphsync v0.2.0

require github.com/gogo/protobuf v1.3.1 // indirect
