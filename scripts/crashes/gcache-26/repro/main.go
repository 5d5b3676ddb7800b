package main

import "github.com/bluele/gcache"

func main() {
	c := gcache.New(2).ARC().Build()
	c.Set("a", 1)
	c.Remove("a")
}
