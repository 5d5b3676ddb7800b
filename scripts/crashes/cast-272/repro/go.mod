module app

go 1.26

require github.com/spf13/cast v1.9.0
