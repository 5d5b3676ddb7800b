module app

go 1.25

require github.com/nfnt/resize v0.0.0-20160724205520-891127d8d1b5
