package main

import (
	"fmt"

	"github.com/zyedidia/generic/interval"
)

func main() {
	t := interval.New[int, string]()
	fmt.Println(t.Size())
}
