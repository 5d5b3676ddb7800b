module app

go 1.25

require github.com/sergi/go-diff v1.0.0

require github.com/stretchr/testify v1.12.1 // indirect
