package main

import (
	"fmt"

	"github.com/jellydator/ttlcache/v3"
)

func main() {
	c := ttlcache.New[string, bool]()
	c.Set("key1", true, 0)
	c.Range(func(item *ttlcache.Item[string, bool]) bool {
		c.Delete(item.Key())
		return true
	})
	fmt.Println(c.Len())
}
