// Package used has a type that is used.
package used

// Box holds numbers.
type Box struct{ list []int }

// New makes a box.
func New(n int) *Box { return &Box{make([]int, 0, n)} }

// Make may fail.
func Make(n int) (b *Box, err error) { return New(n), nil }

// Add adds a number.
func (b *Box) Add(x int) { b.grow(); b.list = append(b.list, x) }

func (b *Box) grow() {}

// Sum adds them up.
func (b *Box) Sum() (n int) {
	for _, x := range b.list {
		n += x
	}
	return n
}

// Close closes the box.
func (b *Box) Close() {}

// Use follows different paths.
func Use(many bool) int {
	b := New(4)
	defer b.Close()
	if many {
		for range 10 {
			b.Add(1)
		}
	} else {
		b.Add(2)
		b.Add(3)
	}
	c := &Box{}
	c.Add(1)
	return b.Sum()
}
