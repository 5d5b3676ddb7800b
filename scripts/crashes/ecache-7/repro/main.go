package main

import (
	"fmt"
	"time"

	"github.com/orca-zhang/ecache"
)

func main() {
	c := ecache.NewLRUCache(16, 65535, 100*time.Millisecond)
	c.Put("key", "value")
	fmt.Println(c.Get("key"))
}
