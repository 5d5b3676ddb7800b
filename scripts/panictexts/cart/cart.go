// Package cart panics.
package cart

import "fmt"

type Owner struct {
	id   int
	Name string
}

type Cart struct {
	items []int
	owner *Owner
}

//go:noinline
func (c *Cart) Price(i int) int {
	return c.items[i]
}

//go:noinline
func (c *Cart) Owner() string {
	return c.owner.Name
}

//go:noinline
func Item(name string) int {
	if name == "" {
		panic(fmt.Errorf("cart: no item %q", name))
	}
	return len(name)
}

// Total calls what panics.
//
//go:noinline
func Total(which string) int {
	c := &Cart{items: []int{1, 2, 3}}
	switch which {
	case "index":
		return c.Price(5)
	case "nil":
		return len(c.Owner())
	}
	return Item("")
}
