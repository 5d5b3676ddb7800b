module app

go 1.26

require github.com/alphadose/haxmap v1.3.0

require golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
