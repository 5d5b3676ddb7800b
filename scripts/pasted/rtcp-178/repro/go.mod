module example.com/repro

go 1.25

require github.com/pion/rtcp v1.2.10
