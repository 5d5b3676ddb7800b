package panics

import "errors"

func Goto(a []int, n int) int {
again:
	n--
	if n > 2 {
		goto again
	}
	if n == 2 {
		return a[n] // want index
	}
	goto end
end:
	return 0
}

func GotoOut(a []int) int {
	for i := range a {
		for j := range a {
			if a[i] == a[j]+1 {
				goto found
			}
		}
	}
	return 0
found:
	return 1 / len(a)
}

func Select(c, d chan int, a []int) int {
	select { // want chan
	case v := <-c:
		return len(a) + v
	case d <- 1:
		return 1
	default:
		return len(a)
	}
}

func SelectGuarded(c chan int) (n int) {
	select {
	case v, ok := <-c:
		if ok {
			return 10 / (v*v + 1)
		}
	}
	return n
}

func Go(f func(), m map[string]int) {
	go f() // want nil-deref
	go func() { m = nil }()
	m["a"] = 1 // want nil-map
}

func Recovers(a []int, i int) (n int) {
	defer func() {
		if recover() != nil {
			n = -1
		}
	}()
	return a[i]
}

func RecoversResult(a []int, i int) int {
	return 10 / (Recovers(a, i) + 1) // want div-zero
}

func RecoversOthers(a []int, i int, err error) (n int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			n = 2
		default:
			panic(r)
		}
	}()
	if i == 7 {
		panic("seven") // want explicit-panic
	}
	return a[i]
}

func RecoversNot(a []int, i int) int {
	defer func() { println("done") }()
	return a[i] // want index
}

func RecoversSometimes(a []int, i int, quiet bool) int {
	defer func() {
		if quiet {
			recover()
		}
	}()
	return a[i] // want index
}

func RecoversTooDeep(a []int, i int) int {
	defer func() {
		func() { recover() }() // not called by the deferred function itself
	}()
	return a[i] // want index
}

func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = errors.New("recovered")
	}
}

func RecoversByName(a []int, i int) (err error) {
	defer recoverTo(&err)
	_ = a[i]
	return nil
}

func RecoversCalled(a []int, i int) error {
	if err := RecoversByName(a, i); err == nil {
		return errors.New(string(rune(a[i])))
	}
	return nil
}

func DeferOrder(x int) (n int) {
	defer func() { n = 10 / n }() // want div-zero
	defer func() { n-- }()
	return x
}

func LoopDefer(fs []func() int) {
	for i := range fs {
		defer func(k int) { println(1 / (k - 1)) }(i) // want div-zero
	}
}

func LoopDeferGuarded(a []int) (n int) {
	for i := range a {
		defer func() { n += a[i] }()
	}
	return 0
}

func DeferNil(f func()) {
	defer f()
} // want nil-deref

func Close(c chan int) {
	close(c) // want chan
}

func CloseTwice(c chan int, twice bool) {
	if c == nil {
		return
	}
	c2 := make(chan int)
	close(c2)
	if twice {
		close(c2) // want chan
	}
}

func SendClosed() {
	c := make(chan int, 1)
	close(c)
	c <- 1 // want chan
}

func SendOpen() {
	c := make(chan int, 1)
	c <- 1
	close(c)
	<-c
}

func MakeChan(n int) chan int {
	return make(chan int, n) // want makeslice
}

func CompareAny(a, b any) bool {
	return a == b // want uncomparable
}

func CompareErrors(a, b error) bool {
	return a == b
}

func Key(m map[any]int, k any) int {
	return m[k] // want uncomparable
}

func KeyGuarded(m map[any]int, k any) int {
	if _, ok := k.(string); ok {
		return m[k]
	}
	return 0
}

func Forever(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + Forever(n-1) // want stack-overflow
}

type chain struct {
	next *chain
	v    int
}

func (n *chain) sum() int {
	if n == nil {
		return 0
	}
	return n.v + n.next.sum() // want stack-overflow
}

func Down(a []int) int {
	if len(a) == 0 {
		return 0
	}
	return a[0] + Down(a[1:])
}

func recovered(s []int) (r int) {
	defer func() {
		if recover() != nil {
			r = 2
		}
	}()
	return s[3]
}

func Recovered() int { return 1 / (recovered(nil) - 2) } // want div-zero

func guarded(s []int, i int) int {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return 0
}

func Guards(s []int) int { return guarded(s, 7) + guarded(nil, -1) }
