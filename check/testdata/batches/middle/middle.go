// Package middle calls low, and is called by high.
package middle

import "example.com/batches/low"

// Box is a Shape.
type Box []int

// Side cannot panic.
func (b Box) Side(i int) int { return low.Wide(b, i) }

// Walk may call itself, and Other.
func Walk(list []int, n int) int {
	if n <= 0 {
		return low.First(list)
	}
	return Other(list, n-1)
}

// Other calls Walk.
func Other(list []int, n int) int {
	if n > len(list) {
		return 0
	}
	return Walk(list[n:], n)
}

// Even cannot panic, since At is called with small numbers.
func Even(n uint) int { return low.At(n % 2 * 2) }

var start = low.At(2)

// Start reads what was computed at the start.
func Start(list []int) int { return list[start] }
