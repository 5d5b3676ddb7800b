module app

go 1.26

require github.com/goforj/godump v1.1.0
