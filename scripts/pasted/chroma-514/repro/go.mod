module example.com/repro

go 1.25

require github.com/alecthomas/chroma v0.7.1

require github.com/dlclark/regexp2 v1.1.6 // indirect
