module example.com/repro

go 1.25

require github.com/anthonynsimon/bild v0.11.1
