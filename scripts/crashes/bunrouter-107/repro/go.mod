module app

go 1.26

require github.com/uptrace/bunrouter v1.0.23
