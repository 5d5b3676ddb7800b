module app

go 1.26

require github.com/justinian/dice v1.0.2
