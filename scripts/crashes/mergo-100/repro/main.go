package main

import (
	"fmt"

	"github.com/imdario/mergo"
)

type conf struct {
	Member interface{}
}

func main() {
	dst := conf{}
	err := mergo.Map(&dst, map[string]interface{}{"Member": "anything"})
	fmt.Println(dst, err)
}
