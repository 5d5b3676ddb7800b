module app

go 1.25

require github.com/vektah/gqlparser/v2 v2.1.0
