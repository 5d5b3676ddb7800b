module app

go 1.25

require github.com/dhowden/tag v0.0.0-20200828214007-46e57f75dbfc
