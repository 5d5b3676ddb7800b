// Package golden is lowered; the guarded commands are in golden.ir beside it.
package golden

type pair struct{ a, b int }

func Sum(list []int) int {
	s := 0
	for _, v := range list {
		s += v
	}
	return s
}

func Swap(p *pair) { p.a, p.b = p.b, p.a }

func Div(x, y int8) (q int8) {
	defer func() { q++ }()
	if x > 0 && y != 0 {
		return x / y
	}
	return 0
}
