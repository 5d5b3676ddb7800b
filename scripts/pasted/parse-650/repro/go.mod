module app

go 1.25

require github.com/tdewolff/parse/v2 v2.7.6
