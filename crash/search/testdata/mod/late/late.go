// Package late computes for long before it panics.
package late

// Last returns the sum of the numbers below n, which takes a while, from a list that is too short.
func Last(n int) int {
	sum := 0
	for i := 0; i < 3<<20; i++ {
		sum += i % 7
	}
	return []int{sum}[n]
}

// Spin never ends.
func Spin(n int) int {
	for {
		n++
	}
}

// Place panics with an index that both numbers decide.
func Place(n, m int) byte {
	list := make([]byte, 5)
	return list[100*n+m+500]
}
