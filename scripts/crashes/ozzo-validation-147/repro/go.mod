module app

go 1.26

require github.com/go-ozzo/ozzo-validation/v4 v4.3.0
