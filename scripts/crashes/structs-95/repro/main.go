package main

import (
	"fmt"

	"github.com/fatih/structs"
)

type Embedded struct {
	A string `structs:",omitempty"`
	B string `structs:",omitempty"`
}

type parent struct {
	Embedded `structs:",flatten"`
}

func main() {
	fmt.Println(structs.Map(&parent{}))
}
