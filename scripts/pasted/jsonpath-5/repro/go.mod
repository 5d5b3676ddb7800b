module app

go 1.25

require github.com/mdaverde/jsonpath v0.2.1
