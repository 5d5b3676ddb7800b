module app

go 1.26

require go.uber.org/ratelimit v0.3.0

require github.com/benbjohnson/clock v1.3.0 // indirect
