module app

go 1.25

require github.com/rivo/tview v0.0.0-20200404204604-ca37f83cb2e7

require (
	github.com/gdamore/encoding v1.0.0 // indirect
	github.com/gdamore/tcell v1.3.0 // indirect
	github.com/lucasb-eyer/go-colorful v1.0.3 // indirect
	github.com/mattn/go-runewidth v0.0.8 // indirect
	github.com/rivo/uniseg v0.1.0 // indirect
	golang.org/x/sys v0.0.0-20200212091648-12a6c2dcc1e4 // indirect
	golang.org/x/text v0.3.2 // indirect
)
