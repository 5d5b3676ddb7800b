module app

go 1.25

require github.com/mashingan/smapping v0.1.16
