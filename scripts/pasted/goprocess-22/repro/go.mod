module app

go 1.25

require github.com/jbenet/goprocess v0.1.2
