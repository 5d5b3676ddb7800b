package main

import (
	"fmt"

	"github.com/hako/durafmt"
)

func main() {
	d, err := durafmt.ParseStringShort("1us")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.String())
}
