module app

go 1.26

require github.com/hako/durafmt v0.0.0-20190612201238-650ed9f29a84
