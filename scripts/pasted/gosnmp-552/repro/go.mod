module app

go 1.25

require github.com/gosnmp/gosnmp v1.42.1
