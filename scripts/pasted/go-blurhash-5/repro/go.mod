module app

go 1.25

require github.com/buckket/go-blurhash v1.1.0
