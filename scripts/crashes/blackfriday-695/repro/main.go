package main

import (
	"fmt"

	"github.com/russross/blackfriday/v2"
)

func main() {
	fmt.Printf("%s", blackfriday.Run([]byte("[0000000]:<")))
}
