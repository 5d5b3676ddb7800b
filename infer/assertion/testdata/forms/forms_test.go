package forms

import (
	"strings"
	"testing"
)

// The tests A show what is usual; the others show the same and more.

func boxes(sizes ...int) {
	var last *Box
	for _, n := range sizes {
		b := &Box{}
		for i := 0; i < n; i++ {
			b.Put(strings.Repeat("x", i+1), i*i)
			b.Put("x", 0)
		}
		last = b.Link(last, n)
	}
}

func TestABoxes(t *testing.T) {
	for i := 0; i < 10; i++ {
		boxes(1, 2, 3, 4)
	}
}

func TestBBoxes(t *testing.T) {
	boxes(0, 9, 40)
	(&Box{after: func() {}}).Link(nil, "text")
	(&Box{index: map[string]int{"": 1}}).Put("", -1)
}

func TestALists(t *testing.T) {
	for i := 2; i < 30; i++ {
		list := []int{i, 0, i / 2, 3 * i}
		Sorted(list)
		Reversed(list[:i%4])
		Scale(float64(i)/4, 2)
		Split(uint64(i*i), uint64(i))
		Greet("world")
		n := i
		Increment(&n, 2)
		level := Level(i % 8)
		level.Name()
		level.Set(i % 5)
		Count(i)
	}
}

func TestBLists(t *testing.T) {
	Sorted(nil)
	Sorted([]int{-5, 1 << 40})
	Reversed(make([]int, 100))
	Scale(-1, 0.5)
	Split(1<<63+5, 7)
	Greet("")
	n := -7
	Increment(&n, -100)
	defer func() { recover() }()
	Count(-1)
}
