module app

go 1.26

require github.com/timtadh/data-structures v0.6.2
