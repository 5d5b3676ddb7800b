module app

go 1.25

require github.com/olekukonko/tablewriter v0.0.5

require github.com/mattn/go-runewidth v0.0.9 // indirect
