//go:build go1.21

package check

import (
	"cmp"
	"math"
	"reflect"
	"slices"
)

// maxItems is the number of elements up to which a slice is looked at, as in a trace.
const maxItems = 32

// Uint returns an integer as a signed one; the largest one if it is larger.
func Uint(n uint64) int64 {
	if n > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(n)
}

// Address returns the address in a pointer, 0 if it is nil.
func Address(p any) uintptr { return reflect.ValueOf(p).Pointer() }

// Type returns the dynamic type of a value, "" if it is nil.
func Type(v any) string {
	if v == nil {
		return ""
	}
	return reflect.TypeOf(v).String()
}

// items returns the elements of a slice or array. ok is false if there are too many.
func items[T any](v any, item func(reflect.Value) T) (list []T, ok bool) {
	r := reflect.ValueOf(v)
	if r.Len() > maxItems {
		return nil, false
	}
	list = make([]T, r.Len())
	for i := range list {
		list[i] = item(r.Index(i))
	}
	return list, true
}

// Ints returns the elements of a slice or array of integers. ok is false if there are too many.
func Ints(v any) (list []int64, ok bool) {
	if ints, is := v.([]int); is && len(ints) <= maxItems {
		list = make([]int64, len(ints))
		for i, x := range ints {
			list[i] = int64(x)
		}
		return list, true
	}
	return items(v, func(x reflect.Value) int64 {
		if x.CanUint() {
			return Uint(x.Uint())
		}
		return x.Int()
	})
}

// Floats is like Ints for floating-point numbers.
func Floats(v any) (list []float64, ok bool) { return items(v, reflect.Value.Float) }

// Texts is like Ints for strings.
func Texts(v any) (list []string, ok bool) { return items(v, reflect.Value.String) }

// Addresses is like Ints for pointers, see Address.
func Addresses(v any) (list []uintptr, ok bool) { return items(v, reflect.Value.Pointer) }

// CompareFloats orders numbers: NaN is equal to itself, and smaller than all others.
func CompareFloats(x, y float64) int { return cmp.Compare(x, y) }

// Min and Max return the smaller and the larger of two integers.
func Min(x, y int64) int64 { return min(x, y) }
func Max(x, y int64) int64 { return max(x, y) }

// GCD returns the greatest common divisor of two integers, which is not negative; 0 for two zeros.
func GCD(x, y int64) int64 {
	for y != 0 {
		x, y = y, x%y
	}
	return max(x, -x)
}

// All reports whether a condition holds for all integers from 0 up to, not including, n.
func All(n int, holds func(i int64) bool) bool {
	for i := 0; i < n; i++ {
		if !holds(int64(i)) {
			return false
		}
	}
	return true
}

// Longest returns the largest of some lengths.
func Longest(lengths ...int) int { return slices.Max(lengths) }

// The functions below take lists of equal types as any, since files of an older language version cannot
// leave out type arguments.

// lists calls the function for the type of two lists.
func lists(a, b any, ints func(a, b []int64) bool, floats func(a, b []float64) bool, texts func(a, b []string) bool,
	addresses func(a, b []uintptr) bool) bool {
	switch a := a.(type) {
	case []int64:
		return ints(a, b.([]int64))
	case []float64:
		return floats(a, b.([]float64))
	case []string:
		return texts(a, b.([]string))
	}
	return addresses(a.([]uintptr), b.([]uintptr))
}

// Sum returns the sum of integers.
func Sum(list []int64) (n int64) {
	for _, x := range list {
		n += x
	}
	return n
}

func distinct[T comparable](a, _ []T) bool {
	for i, x := range a {
		if slices.Contains(a[:i], x) {
			return false
		}
	}
	return true
}

// Distinct reports whether no two elements of a list are equal.
func Distinct(a any) bool {
	return lists(a, a, distinct[int64], distinct[float64], distinct[string], distinct[uintptr])
}

func subset[T comparable](a, b []T) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// Subset reports whether every element of a is an element of b.
func Subset(a, b any) bool {
	return lists(a, b, subset[int64], subset[float64], subset[string], subset[uintptr])
}

func subsequence[T comparable](a, b []T) bool {
	for i := 0; i <= len(b)-len(a); i++ {
		if slices.Equal(a, b[i:i+len(a)]) {
			return true
		}
	}
	return false
}

// Subsequence reports whether a stands inside b, its elements side by side.
func Subsequence(a, b any) bool {
	return lists(a, b, subsequence[int64], subsequence[float64], subsequence[string], subsequence[uintptr])
}

func reverse[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, x := range a {
		if b[len(b)-1-i] != x {
			return false
		}
	}
	return true
}

// Reverse reports whether b has the elements of a in reverse order.
func Reverse(a, b any) bool {
	return lists(a, b, reverse[int64], reverse[float64], reverse[string], reverse[uintptr])
}

// Equal reports whether two lists have equal elements.
func Equal(a, b any) bool {
	return lists(a, b, slices.Equal[[]int64], slices.Equal[[]float64], slices.Equal[[]string], slices.Equal[[]uintptr])
}
