package main

import (
	"fmt"

	"github.com/spf13/cast"
)

func main() {
	var s *string
	fmt.Println(cast.ToStringE(s))
}
