module app

go 1.25

require github.com/ckaznocha/intrange v0.1.1

require golang.org/x/tools v0.19.0 // indirect
