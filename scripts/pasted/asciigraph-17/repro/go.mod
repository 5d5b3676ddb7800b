module example.com/repro

go 1.25

require github.com/guptarohit/asciigraph v0.4.1
