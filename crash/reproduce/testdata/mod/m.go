// Package m has functions on the stack of a panic.
package m

// Ring is a list of numbers.
type Ring struct{ items []int }

func New(n int) *Ring { return &Ring{items: make([]int, n)} }

func (r *Ring) At(i int) int { return r.items[i] }

func (r *Ring) Sum(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += r.At(i)
	}
	return sum
}

func Must(n int) {
	if n == 123456789 {
		panic("unlucky")
	}
}
