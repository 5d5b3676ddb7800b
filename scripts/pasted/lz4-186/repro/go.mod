module app

go 1.25

require github.com/pierrec/lz4 v2.6.1+incompatible
