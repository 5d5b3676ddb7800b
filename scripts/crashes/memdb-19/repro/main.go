package main

import (
	"fmt"

	"github.com/google/btree"
)

func main() {
	t := btree.New(2)
	for i := 0; i < 10; i++ {
		t.ReplaceOrInsert(btree.Int(i))
	}
	n := 0
	t.AscendRange(nil, btree.Int(5), func(btree.Item) bool { n++; return true })
	fmt.Println(n)
}
