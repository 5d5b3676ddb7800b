package more

import (
	"os"
	"os/signal"
)

// What unknown functions do with a channel that they may keep.

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
