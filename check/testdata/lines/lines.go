// Package lines has panics in expressions that go over several lines.
package lines

type T struct {
	next *T
	arr  []int
	val  int
}

func (t *T) N() *T { return t.next }

func Chain(t *T) int {
	if t == nil {
		return 0
	}
	return t.
		next.
		next.
		val
}

func Idx(t *T, i int) int {
	if t == nil {
		return 0
	}
	return t.
		arr[i+
		1]
}

func Call(t *T) int {
	if t == nil {
		return 0
	}
	return t.
		N().
		N().
		val
}

func Div(a, b,
	c int) int {
	return a +
		b/
			c
}

func Sl(a []int, i int) []int {
	return a[i : i+2]
}

func Args(a []int, i int) int {
	return max(
		a[0],
		a[i],
	)
}

func As(t *struct{ v any }) int {
	if t == nil {
		return 0
	}
	return t.
		v.(int)
}

func SendCase() {
	c := make(chan int)
	close(c)
	select {
	case c <- 1:
	}
}

func SendOrNot() {
	c := make(chan int)
	close(c)
	select {
	default:
	case c <- 1:
	}
}

func SendOrReceive(n int) {
	c, d := make(chan int), make(chan int)
	close(c)
	select {
	case <-d:
	case c <- 1:
	}
}
