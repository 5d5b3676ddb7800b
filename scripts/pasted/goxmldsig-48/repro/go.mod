module app

go 1.25

require github.com/russellhaering/goxmldsig v0.0.0-20180430223755-7acd5e4a6ef7

require (
	github.com/beevik/etree v1.1.0 // indirect
	github.com/jonboulle/clockwork v0.1.0 // indirect
)
