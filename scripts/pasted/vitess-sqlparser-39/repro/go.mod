module app

go 1.25

require github.com/blastrain/vitess-sqlparser v0.0.0-20201030050434-a139afbb1aba

require (
	github.com/juju/errors v0.0.0-20170703010042-c7d06af17c68 // indirect
	golang.org/x/text v0.0.0-20180302201248-b7ef84aaf62a // indirect
)
