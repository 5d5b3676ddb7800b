package main

import (
	"fmt"

	"github.com/pelletier/go-toml"
)

func main() {
	tree, err := toml.LoadBytes([]byte("0=\n0ame"))
	fmt.Println(tree, err)
}
