// Package inner is called by m.
package inner

// Twice returns 2x.
func Twice(x int) int {
	if x > 2 {
		return x + x
	}
	return 2 * x
}
