package main

import (
	"fmt"

	"github.com/gorilla/schema"
)

type item struct {
	Name string `schema:"name"`
}

type list struct {
	Items []*item `schema:"items"`
}

func main() {
	dst := map[string][]string{}
	err := schema.NewEncoder().Encode(list{Items: []*item{{Name: "a"}}}, dst)
	fmt.Println(dst, err)
}
