package dep

func Half(n int) int {
	return 100 / n
}
