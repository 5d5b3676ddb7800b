package dep

// G is a function.
func G(n int) int {
	return 1 / n
}
