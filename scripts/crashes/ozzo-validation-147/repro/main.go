package main

import (
	"fmt"

	validation "github.com/go-ozzo/ozzo-validation/v4"
)

func main() {
	errs := validation.Errors{
		"Login": validation.Validate("blah", validation.Required),
	}
	s := errs.Error()
	fmt.Println(s)
}
