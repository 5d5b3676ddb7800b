package panics

import (
	"fmt"
	"time"
)

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

type chanServer struct{ c chan int }

func ChanInRecord(d time.Duration) int {
	v := &chanServer{make(chan int, 1)}
	time.AfterFunc(d, func() { v.c <- 0 })
	return 1 / <-v.c // want div-zero
}

func ChanPrinted(n int) int {
	c := make(chan int, 1)
	c <- 1
	fmt.Println("a", n)
	return 1 / <-c
}
