module app

go 1.26

require github.com/buger/jsonparser v1.1.1
