module app

go 1.26

require github.com/reugn/go-quartz v0.6.0
