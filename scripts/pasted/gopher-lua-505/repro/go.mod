module app

go 1.25

require github.com/yuin/gopher-lua v1.1.1
