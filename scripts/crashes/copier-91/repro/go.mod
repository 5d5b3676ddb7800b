module app

go 1.26

require github.com/jinzhu/copier v0.2.8
