package main

import (
	"fmt"
	"net/url"

	"github.com/go-playground/form"
)

type t1 struct {
	F1 string `form:"F1"`
}

func main() {
	var v t1
	err := form.NewDecoder().Decode(&v, url.Values{"F1": {}})
	fmt.Println(v, err)
}
