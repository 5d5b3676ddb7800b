module app

go 1.26

require github.com/go-playground/form v3.1.4+incompatible

require gopkg.in/go-playground/assert.v1 v1.2.1 // indirect
