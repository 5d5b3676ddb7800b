package main

import (
	"fmt"

	"go.uber.org/ratelimit"
)

func main() {
	rl := ratelimit.New(0)
	fmt.Println(rl.Take())
}
