package main

import (
	"fmt"

	"github.com/devfeel/mapper"
)

type Emp struct {
	Name  string
	Class int
}

func main() {
	a1 := []Emp{{Name: "Ajit", Class: 1}, {Name: "vinit", Class: 2}}
	var a2 []Emp
	err := mapper.Mapper(&a1, &a2)
	fmt.Println(a2, err)
}
