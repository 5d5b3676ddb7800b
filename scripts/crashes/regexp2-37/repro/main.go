package main

import (
	"fmt"

	"github.com/dlclark/regexp2"
)

func main() {
	re, err := regexp2.Compile("0(?>()+?0)00000000w", regexp2.ECMAScript)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(re.FindStringMatch("0000000000000000000"))
}
