// Package m has functions that crash, for random tests.
package m

// Stack holds numbers.
type Stack struct{ items []int }

func (s *Stack) Pop() int {
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v
}

func Must(ok bool) {
	if !ok {
		panic("not ok")
	}
}

func Double(n int) int { return 2 * n }
