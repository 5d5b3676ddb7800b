// Package dotted has a dot in the last element of its path, which a stack trace escapes.
package dotted

// Box has methods of both kinds.
type Box struct{ Items []int }

// Get panics with an index out of range.
//
//go:noinline
func (b *Box) Get(i int) int { return b.Items[i] }

// Value panics with an index out of range.
//
//go:noinline
func (b Box) Value(i int) int { return b.Items[i] }

// Stack is generic.
type Stack[T any] struct{ items []T }

// Pop panics with an index out of range if the stack is empty.
//
//go:noinline
func (s *Stack[T]) Pop() T { return s.items[len(s.items)-1] }

// Map calls f on each item.
//
//go:noinline
func Map[T, U any](list []T, f func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
