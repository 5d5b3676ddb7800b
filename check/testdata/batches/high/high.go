// Package high calls the others.
package high

import (
	"example.com/batches/low"
	"example.com/batches/middle"
)

// Area divides by n.
func Area(list []int, n int) int { return low.Sum(middle.Box(list), n) }

// Any calls a Shape that anybody may implement.
func Any(s low.Shape) int { return s.Side(1) }

// Names panics if there are fewer of B.
func Names(p low.Pair[string], i int) string {
	a, b := p.Both(i)
	return a + b
}

// Deep panics for an empty list.
func Deep(list []int) int { return middle.Walk(list, 0) + middle.Even(3) }

// Later panics in a function literal that others call.
var Later = func(list []int) int { return list[1] }

func init() {
	if len(table()) < 2 {
		panic("too short")
	}
}

func table() []int { return []int{low.At(0), low.At(1)} }
