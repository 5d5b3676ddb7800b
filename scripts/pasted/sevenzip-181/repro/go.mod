module app

go 1.25

require github.com/bodgit/sevenzip v1.3.0

require (
	github.com/andybalholm/brotli v1.0.4 // indirect
	github.com/bodgit/plumbing v1.2.0 // indirect
	github.com/bodgit/windows v1.0.0 // indirect
	github.com/connesc/cipherio v0.2.1 // indirect
	github.com/hashicorp/errwrap v1.0.0 // indirect
	github.com/hashicorp/go-multierror v1.1.1 // indirect
	github.com/klauspost/compress v1.15.9 // indirect
	github.com/pierrec/lz4/v4 v4.1.15 // indirect
	github.com/ulikunitz/xz v0.5.10 // indirect
	go4.org v0.0.0-20200411211856-f5505b9728dd // indirect
	golang.org/x/text v0.3.7 // indirect
)
