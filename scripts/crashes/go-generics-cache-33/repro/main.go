package main

import (
	"fmt"

	"github.com/Code-Hex/go-generics-cache/policy/lfu"
)

func main() {
	c := lfu.NewCache[string, int](lfu.WithCapacity(3))
	c.Set("a", 1)
	c.Set("b", 2)
	c.Set("c", 3)
	c.Delete("a")
	c.Delete("b")
	c.Delete("c")
	fmt.Println(c.Len())
}
