module app

go 1.26

require github.com/gorilla/schema v1.2.0
