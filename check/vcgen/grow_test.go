package vcgen

import (
	"slices"
	"testing"
)

// TestGrowth compares the capacities with those of real slices on the heap.
func TestGrowth(t *testing.T) {
	check[byte](t, 1, false)
	check[int32](t, 4, false)
	check[int](t, 8, false)
	check[*int](t, 8, true)
	check[string](t, 16, true)
	check[[3]byte](t, 3, false)
	check[[5]int](t, 40, false)
	check[[7]string](t, 112, true)
	check[struct{}](t, 0, false)
}

func check[T any](t *testing.T, size uint64, pointers bool) {
	var s []T
	for i := range 5000 {
		before := uint64(cap(s))
		s = appendHeap(s, 1)
		if len(s) > int(before) {
			if want := growth(uint64(len(s)), before, size, pointers, 8); uint64(cap(s)) != want {
				t.Fatalf("%T: from %d to length %d: %d, Go has %d", s, before, len(s), want, cap(s))
			}
		}
		if i%100 == 0 {
			s = slices.Clip(s)
		}
	}
	for n := range 3000 {
		s := appendHeap(make([]T, 2, 3), n+2)
		if want := growth(uint64(len(s)), 3, size, pointers, 8); uint64(cap(s)) != want {
			t.Fatalf("%T: from 3 to length %d: %d, Go has %d", s, len(s), want, cap(s))
		}
	}
}

// appendHeap appends n elements to a slice whose array is on the heap.
//
//go:noinline
func appendHeap[T any](s []T, n int) []T { return append(s, make([]T, n)...) }
