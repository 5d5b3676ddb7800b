// Package forms has functions about which invariants of all forms are learned.
package forms

import (
	"errors"
	"sort"
)

// Limit is how many items a Box holds.
var Limit = 4

// Box holds numbers.
type Box struct {
	items []int
	names []string
	sums  []float64
	next  *Box
	index map[string]int
	owner interface{}
	full  bool
	after func()
}

// Put adds a number under a name that is not there yet.
func (b *Box) Put(name string, n int) error {
	if _, ok := b.index[name]; ok {
		return errors.New("there")
	}
	if b.index == nil {
		b.index = map[string]int{}
	}
	b.index[name] = n
	b.items = append(b.items, n)
	b.names = append(b.names, name)
	b.full = len(b.items) >= Limit
	return nil
}

// Link puts another box behind.
func (b *Box) Link(next *Box, owner interface{}) *Box {
	b.next, b.owner = next, owner
	return b
}

// Sorted returns a sorted copy.
func Sorted(list []int) []int {
	out := append([]int{}, list...)
	sort.Ints(out)
	return out
}

// Reversed returns the numbers from behind.
func Reversed(list []int) (out []int) {
	for i := range list {
		out = append(out, list[len(list)-1-i])
	}
	return
}

// Scale multiplies.
func Scale(x, by float64) float64 { return x * by }

// Split divides n by k, which is not 0.
func Split(n, k uint64) (uint64, uint64) {
	return n / k, n % k
}

// Greet says hello.
func Greet(name string) (_ string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("no name")
		}
	}()
	return "hello " + name[:1], nil
}

// Increment changes what p points to.
func Increment(p *int, by int) {
	*p += by
}

// Count counts down by calling itself, and panics below zero.
func Count(n int) int {
	if n < 0 {
		panic("below zero")
	}
	if n == 0 {
		return 0
	}
	return 1 + Count(n-1)
}

// Level is a number, and some of its methods have a pointer to it.
type Level uint32

// Name is A, B, ...
func (level Level) Name() string { return string(rune('A' + level)) }

// Set sets it.
func (level *Level) Set(n int) { *level = Level(n) }
