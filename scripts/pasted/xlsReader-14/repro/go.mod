module app

go 1.25

require github.com/shakinm/xlsReader v0.9.8

require (
	github.com/metakeule/fmtdate v1.1.2 // indirect
	golang.org/x/text v0.3.2 // indirect
)
