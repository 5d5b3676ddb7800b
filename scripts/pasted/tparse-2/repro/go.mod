module example.com/repro

go 1.25

require github.com/karrick/tparse v2.4.2+incompatible
