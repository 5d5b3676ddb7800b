module app

go 1.26

require github.com/paulmach/orb v0.1.6
