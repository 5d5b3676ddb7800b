module app

go 1.26

require github.com/samber/do/v2 v2.0.0

require github.com/samber/go-type-to-string v1.8.0 // indirect
