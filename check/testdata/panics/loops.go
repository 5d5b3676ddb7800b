package panics

// Panics past the first passes of a loop.

func LoopFill(s []int) (n int) {
	var buf [8]int
	for _, x := range s {
		if x > 0 {
			buf[n] = x // want index
			n++
		}
	}
	return n
}

func LoopSixth(n int) {
	for i := 0; i < n; i++ {
		if i == 6 {
			panic("six") // want explicit-panic
		}
	}
}

func LoopAfter(n int) int {
	c := 0
	for c < n {
		c++
	}
	var a [5]int
	return a[c] // want index
}

type smallStack struct {
	a [6]int
	n int
}

func (s *smallStack) push(x int) {
	s.a[s.n] = x // want index
	s.n++
}

func LoopPush(xs []int) {
	s := &smallStack{}
	for _, x := range xs {
		s.push(x)
	}
}

func LoopDigits(x uint32) string {
	var buf [5]byte
	i := len(buf)
	for x > 0 {
		i--
		buf[i] = byte('0' + x%10) // want index
		x /= 10
	}
	return string(buf[i:])
}

func LoopList(l *node) (n int) {
	for ; l != nil; l = l.next {
		if n++; n == 9 {
			panic("too long") // want explicit-panic
		}
	}
	return n
}

func LoopNested(rows, columns int) {
	var cells [9]int
	n := 0
	for range min(rows, 5) {
		for range min(columns, 5) {
			cells[n]++ // want index
			n++
		}
	}
}

func LoopNever(s []int) (t int) {
	for i := range s {
		t += s[i]
	}
	return t
}

func LoopEnough(s []int) (n int) {
	var buf [16]int
	for _, x := range s {
		if n == len(buf) {
			break
		}
		buf[n] = x
		n += 2
	}
	return n
}
