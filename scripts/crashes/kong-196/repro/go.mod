module app

go 1.26

require github.com/alecthomas/kong v0.2.17

require github.com/pkg/errors v0.9.1 // indirect
