module app

go 1.25

require github.com/spakin/netpbm v1.3.0
