package m

func Div(a, b int) int { return a / b }

func Deep(n int) int {
	return 1 + Deep(n+1)
}
