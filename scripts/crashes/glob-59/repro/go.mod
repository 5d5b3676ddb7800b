module app

go 1.26

require github.com/gobwas/glob v0.2.3
