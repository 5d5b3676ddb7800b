module example.com/repro

go 1.25

require github.com/bufbuild/protocompile v0.6.0
