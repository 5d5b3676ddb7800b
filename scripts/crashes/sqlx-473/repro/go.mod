module app

go 1.26

require github.com/jmoiron/sqlx v1.2.0

require google.golang.org/appengine v1.6.8 // indirect
