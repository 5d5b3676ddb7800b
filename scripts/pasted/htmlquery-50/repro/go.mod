module example.com/repro

go 1.25

require github.com/antchfx/htmlquery v1.2.5

require (
	github.com/antchfx/xpath v1.2.1 // indirect
	github.com/golang/groupcache v0.0.0-20200121045136-8c9f03a8e57e // indirect
	golang.org/x/net v0.0.0-20200421231249-e086a090c8fd // indirect
	golang.org/x/text v0.3.0 // indirect
)
