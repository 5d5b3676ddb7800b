module app

go 1.26

require github.com/zyedidia/generic v1.0.0

require (
	github.com/segmentio/fasthash v1.0.3 // indirect
	golang.org/x/exp v0.0.0-20220218215828-6cf2b201936e // indirect
)
