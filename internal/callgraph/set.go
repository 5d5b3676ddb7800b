package callgraph

import (
	"iter"
	"math/bits"
)

// Set is a set of small non-negative integers, with one bit for each. The zero value is empty.
type Set []uint64

// Add adds n.
func (s *Set) Add(n int) {
	for len(*s) <= n/64 {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

// Has reports whether n is in the set.
func (s Set) Has(n int) bool { return n/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }

// Union adds the elements of t.
func (s *Set) Union(t Set) {
	for len(*s) < len(t) {
		*s = append(*s, 0)
	}
	for i, w := range t {
		(*s)[i] |= w
	}
}

// Meets reports whether the sets have an element in common.
func (s Set) Meets(t Set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// All returns the elements in ascending order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
