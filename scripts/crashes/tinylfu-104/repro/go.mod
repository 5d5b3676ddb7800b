module app

go 1.26

require github.com/vmihailenco/go-tinylfu v0.2.2

require github.com/cespare/xxhash/v2 v2.1.1 // indirect
