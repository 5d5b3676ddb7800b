package main

import (
	"fmt"

	"github.com/willf/bloom"
)

func main() {
	fmt.Println(bloom.NewWithEstimates(0, 1e-6).TestString("boom"))
}
