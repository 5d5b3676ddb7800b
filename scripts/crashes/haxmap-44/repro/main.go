package main

import (
	"fmt"

	"github.com/alphadose/haxmap"
)

func main() {
	m := haxmap.New[string, int](0)
	m.Set("a", 1)
	fmt.Println(m.Get("a"))
}
