// Package reuse makes slices in memory that was used before.
package reuse

import "slices"

// Slice returns a slice of n elements, in the memory of list if that has as many. Their values are arbitrary: those
// that list had, or zero.
func Slice[E any](list []E, n int) []E { return slices.Grow(list[:0], n)[:n] }
