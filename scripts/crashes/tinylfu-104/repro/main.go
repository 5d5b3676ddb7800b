package main

import (
	"fmt"

	"github.com/vmihailenco/go-tinylfu"
)

func main() {
	fmt.Println(tinylfu.New(1, 100).Get("somekey"))
}
