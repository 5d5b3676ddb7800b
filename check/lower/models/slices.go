//go:build ignore

package slices

import (
	"cmp"

	"dsd"
)

func Index[S ~[]E, E comparable](s S, v E) int {
	i := dsd.Any[int]()
	dsd.Assume(-1 <= i && i < len(s))
	return i
}
func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	i := dsd.Any[int]()
	dsd.Assume(-1 <= i && i < len(s))
	return i
}
func Contains[S ~[]E, E comparable](s S, v E) bool { return len(s) > 0 && dsd.Any[bool]() }
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool {
	return len(s) > 0 && dsd.Any[bool]()
}
func BinarySearch[S ~[]E, E cmp.Ordered](x S, target E) (int, bool) {
	i, found := dsd.Any[int](), dsd.Any[bool]()
	dsd.Assume(0 <= i && i <= len(x) && (!found || i < len(x)))
	return i, found
}
func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S{}, s...)
}
func Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }
func Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	return s
}
func Delete[S ~[]E, E any](s S, i, j int) S {
	_ = s[i:j:len(s)]
	if i == j {
		return s
	}
	return append(s[:i], s[j:]...)
}
