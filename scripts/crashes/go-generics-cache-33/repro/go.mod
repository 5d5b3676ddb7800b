module app

go 1.26

require github.com/Code-Hex/go-generics-cache v1.2.1
