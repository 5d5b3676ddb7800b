module app

go 1.26

require github.com/hashicorp/go-set/v2 v2.1.0
