module app

go 1.25

require github.com/apache/arrow-go/v18 v18.2.0

require golang.org/x/sys v0.31.0 // indirect
