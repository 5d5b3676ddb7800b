module app

go 1.25

require github.com/vmihailenco/msgpack/v5 v5.3.4

require github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
