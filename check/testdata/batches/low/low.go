// Package low is called by the others.
package low

import "example.com/batches/kinds"

// Usual is a kind.
const Usual kinds.Kind = 1

// Shape is implemented in another package, which is analyzed later.
type Shape interface{ Side(i int) int }

// Wide cannot panic: callers need not ask again.
func Wide(list []int, i int) int {
	if i < 0 || i >= len(list) {
		return 0
	}
	return list[i]
}

// First panics for an empty list.
func First(list []int) int { return list[0] }

// Sum calls what packages above implement.
func Sum(s Shape, n int) int { return s.Side(0) / n }

// Pair is generic.
type Pair[T any] struct{ A, B []T }

// Both panics unless B is as long as A.
func (p Pair[T]) Both(i int) (T, T) {
	if i < 0 || i >= len(p.A) {
		var none T
		return none, none
	}
	return p.A[i], p.B[i]
}

var table = []int{1, 2, 3}

// At panics for indices past the table.
func At(i uint) int { return table[i] }
