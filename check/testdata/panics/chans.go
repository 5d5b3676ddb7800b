package panics

import (
	"fmt"
	"os"
	"os/signal"
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

func ChanHandedOver(f func(chan int)) int {
	c := make(chan int, 1)
	if f != nil {
		f(c)
	}
	return 1 / <-c // want div-zero
}

type chanServer struct{ c chan int }

type chanStarter interface{ start(s *chanServer) }

func ChanRegistered(s chanStarter) int {
	v := &chanServer{make(chan int, 1)}
	if s != nil {
		s.start(v)
	}
	return 1 / <-v.c // want div-zero
}

func ChanNotified() int {
	c := make(chan os.Signal, 1)
	signal.Notify(c)
	if <-c == os.Interrupt {
		return 1 / (len(c) - 1) // want div-zero
	}
	return 0
}

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
