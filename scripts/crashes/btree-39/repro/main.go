package main

import (
	"fmt"

	"github.com/tidwall/btree"
)

func main() {
	var m btree.Map[int, string]
	for i := 0; i < 60; i++ {
		m.Set(i*10, "a")
	}
	n := 0
	for it := m.Iter(); it.Next(); n++ {
		if it.Key() == 440 {
			for j := 1; j < 10; j++ {
				m.Set(j, "b")
			}
		}
	}
	fmt.Println(n)
}
