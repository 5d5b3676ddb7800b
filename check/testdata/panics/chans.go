package panics

func ChanReceived(c chan int) int {
	if <-c == 4 {
		return 1 / (<-c - 3) // want div-zero
	}
	return 0
}

func ChanRange(c <-chan *node) (n int) {
	for x := range c {
		n += x.val // want nil-deref
	}
	return n
}

func ChanClosed(c chan string, s []int) int {
	x, ok := <-c
	if ok && x == "go" {
		if _, ok = <-c; !ok {
			return s[3] // want index
		}
	}
	return 0
}

func ChanSelect(a, b chan int, done chan struct{}) int {
	n := 0
	for range 3 {
		select {
		case x := <-a:
			n += x
		case x := <-b:
			n -= x
		case <-done:
			return 1 / n // want div-zero
		}
	}
	return n
}
