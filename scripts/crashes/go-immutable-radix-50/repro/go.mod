module app

go 1.26

require github.com/hashicorp/go-immutable-radix/v2 v2.1.0

require github.com/hashicorp/golang-lru/v2 v2.0.0 // indirect
