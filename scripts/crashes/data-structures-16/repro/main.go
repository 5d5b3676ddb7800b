package main

import (
	"fmt"

	"github.com/timtadh/data-structures/trie"
)

func main() {
	t := trie.New()
	t.Put([]byte("abc"), nil)
	k, v, _ := t.PrefixFind([]byte("abcxxxxxxxxxxxxxxxxxxxx"))()
	fmt.Println(k, v)
}
