module app

go 1.25

require github.com/unidoc/unidoc v2.0.0+incompatible

require golang.org/x/image v0.0.0-20190227222117-0694c2d4d067 // indirect
