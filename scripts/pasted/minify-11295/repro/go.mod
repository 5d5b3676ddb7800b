module app

go 1.25

require github.com/tdewolff/minify/v2 v2.12.4

require github.com/tdewolff/parse/v2 v2.6.4 // indirect
