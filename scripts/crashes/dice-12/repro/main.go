package main

import (
	"fmt"

	"github.com/justinian/dice"
)

func main() {
	_, output, err := dice.Roll("0d1d01")
	fmt.Println(output, err)
}
