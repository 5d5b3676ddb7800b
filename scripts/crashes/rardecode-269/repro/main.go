package main

import (
	"fmt"
	"strings"

	"github.com/nwaples/rardecode/v2"
)

func main() {
	r, err := rardecode.NewReader(strings.NewReader("Rar!\x1a\x07\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Next())
}
