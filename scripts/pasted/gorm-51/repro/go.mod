module app

go 1.25

require gorm.io/gorm v0.2.25

require (
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.1 // indirect
)
