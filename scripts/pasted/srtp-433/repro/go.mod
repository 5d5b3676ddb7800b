module app

go 1.25

require github.com/pion/srtp/v2 v2.0.1

require (
	github.com/pion/logging v0.2.2 // indirect
	github.com/pion/randutil v0.1.0 // indirect
	github.com/pion/rtcp v1.2.6 // indirect
	github.com/pion/rtp v1.6.2 // indirect
	github.com/pion/transport v0.12.2 // indirect
)
