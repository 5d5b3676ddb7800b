module app

go 1.26

require github.com/go-test/deep v1.0.1
