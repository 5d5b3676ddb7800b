module app

go 1.25

require github.com/containous/yaegi v0.8.6
