package main

import (
	"fmt"

	"github.com/jinzhu/copier"
)

type item struct{ Value interface{} }

func main() {
	var dst item
	err := copier.CopyWithOption(&dst, item{}, copier.Option{DeepCopy: true})
	fmt.Println(dst, err)
}
