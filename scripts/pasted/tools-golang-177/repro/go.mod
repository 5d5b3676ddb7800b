module app

go 1.25

require github.com/spdx/tools-golang v0.3.0
