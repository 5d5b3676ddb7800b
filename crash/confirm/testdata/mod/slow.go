package m

import "time"

// Slow takes its time for any number, and never divides by zero.
func Slow(n int) int {
	time.Sleep(10 * time.Millisecond)
	return 1 / (2*n + 1)
}
