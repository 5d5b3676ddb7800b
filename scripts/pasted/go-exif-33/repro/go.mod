module app

go 1.25

require github.com/dsoprea/go-exif/v2 v2.0.0-20200321225314-640175a69fe4

require (
	github.com/dsoprea/go-logging v0.0.0-20190624164917-c4f10aab7696 // indirect
	github.com/go-errors/errors v1.0.1 // indirect
	golang.org/x/net v0.0.0-20191209160850-c0dbc17a3553 // indirect
)
