module app

go 1.25

require github.com/polyfloyd/go-errorlint v1.4.1

require golang.org/x/tools v0.8.0 // indirect
