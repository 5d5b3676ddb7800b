module app

go 1.25

require github.com/flosch/pongo2 v0.0.0-20200529170236-5abacdfa4915
