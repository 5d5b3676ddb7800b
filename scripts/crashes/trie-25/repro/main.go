package main

import (
	"fmt"

	"github.com/derekparker/trie"
)

func main() {
	fmt.Println(trie.New().Keys())
}
