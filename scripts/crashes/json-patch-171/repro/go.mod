module app

go 1.26

require github.com/evanphx/json-patch/v5 v5.7.0

require github.com/pkg/errors v0.8.1 // indirect
