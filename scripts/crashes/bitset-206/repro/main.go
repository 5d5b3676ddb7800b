package main

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"
)

func main() {
	b := bitset.New(0).Set(560)
	b.ShiftLeft(16)
	fmt.Println(b)
}
