module app

go 1.25

require github.com/charmbracelet/bubbles v0.7.0

require (
	github.com/charmbracelet/bubbletea v0.12.0 // indirect
	github.com/containerd/console v1.0.1 // indirect
	github.com/lucasb-eyer/go-colorful v1.0.3 // indirect
	github.com/mattn/go-isatty v0.0.12 // indirect
	github.com/mattn/go-runewidth v0.0.9 // indirect
	github.com/muesli/termenv v0.7.4 // indirect
	golang.org/x/crypto v0.0.0-20201012173705-84dcc777aaee // indirect
	golang.org/x/sys v0.0.0-20201015000850-e3ed0017c211 // indirect
)
