module example.com/repro

go 1.25

require github.com/disintegration/imaging v1.6.2

require golang.org/x/image v0.0.0-20191009234506-e7c1f5e7dbb8 // indirect
