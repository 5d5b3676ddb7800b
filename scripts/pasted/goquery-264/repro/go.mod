module example.com/repro

go 1.25

require github.com/PuerkitoBio/goquery v1.4.1

require (
	github.com/andybalholm/cascadia v1.0.0 // indirect
	golang.org/x/net v0.0.0-20181114220301-adae6a3d119a // indirect
)
