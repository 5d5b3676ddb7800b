package main

import (
	"fmt"

	iradix "github.com/hashicorp/go-immutable-radix/v2"
)

func main() {
	tree := iradix.New[int]()
	it := tree.Root().Iterator()
	it.SeekPrefix([]byte("a"))
	it.SeekLowerBound([]byte("b"))
	fmt.Println(it.Next())
}
