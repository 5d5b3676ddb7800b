package expr

import "slices"

// Distinct reports whether no two elements are equal.
func Distinct(list []int64) bool {
	if len(list) < 32 { // below this a map costs more than it saves
		for i, x := range list {
			if slices.Contains(list[:i], x) {
				return false
			}
		}
		return true
	}
	seen := make(map[int64]bool, len(list))
	for _, x := range list {
		if seen[x] {
			return false
		}
		seen[x] = true
	}
	return true
}

// Subset reports whether every element of a is an element of b.
func Subset(a, b []int64) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// Subsequence reports whether a stands inside b, its elements side by side.
func Subsequence(a, b []int64) bool {
	for i := range max(len(b)-len(a)+1, 0) {
		if slices.Equal(a, b[i:i+len(a)]) {
			return true
		}
	}
	return false
}

// Reverse reports whether b has the elements of a in reverse order.
func Reverse(a, b []int64) bool {
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
