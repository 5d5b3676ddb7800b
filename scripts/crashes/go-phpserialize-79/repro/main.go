package main

import (
	"fmt"

	"github.com/trim21/go-phpserialize"
)

func main() {
	var v []string
	err := phpserialize.Unmarshal([]byte(`a:2:{i:0;s:1:"a";i:5;s:1:"b";}`), &v)
	fmt.Println(v, err)
}
