// Package skipped has functions that are not covered yet.
package skipped

import "iter"

func Goto(n int) int {
again:
	n--
	if n > 0 {
		goto again
	}
	return n
}

func Select(c chan int) int {
	select {
	case v := <-c:
		return v
	default:
		return 0
	}
}

func Go(f func()) { go f() }

func Recover() (err any) {
	defer func() { err = recover() }()
	panic("x")
}

func LoopDefer(fs []func()) {
	for _, f := range fs {
		defer f()
	}
}

func RangeFunc(s iter.Seq[int]) (n int) {
	for v := range s {
		n += v
	}
	return n
}

func Covered(x int) int { return x + 1 }
