package exact

// Channels that no other goroutine knows are queues.

func NeverQueue() {
	c := make(chan string, 3)
	must(len(c) == 0 && cap(c) == 3)
	c <- "a"
	c <- "b"
	must(len(c) == 2)
	must(<-c == "a")
	c <- "c"
	must(<-c == "b" && <-c == "c" && len(c) == 0)
}

func NeverRecords() {
	c := make(chan cellPair, 2)
	c <- cellPair{1, &cell{2}}
	c <- cellPair{x: 3}
	first, second := <-c, <-c
	must(first.x == 1 && first.p.x == 2 && second.x == 3 && second.p == nil)
}

type cellPair struct {
	x int
	p *cell
}

func NeverClosedQueue() {
	c := make(chan int, 2)
	c <- 7
	close(c)
	x, ok := <-c
	must(x == 7 && ok)
	x, ok = <-c
	must(x == 0 && !ok)
	n := 0
	for range c {
		n++
	}
	must(n == 0)
}

func NeverRangeOfQueue() {
	c := make(chan int, 4)
	for i := range 3 {
		c <- i * i
	}
	close(c)
	sum := 0
	for x := range c {
		sum += x
	}
	must(sum == 5)
}

func NeverNilChannel() {
	var c chan int
	must(len(c) == 0 && cap(c) == 0)
	select {
	case <-c:
		panic("a nil channel is never ready")
	case c <- 1:
		panic("a nil channel is never ready")
	default:
	}
}

func NeverSelect() {
	a, b := make(chan int, 1), make(chan int)
	select {
	case <-a:
		panic("nothing was sent")
	case <-b:
		panic("nobody sends")
	case b <- 1:
		panic("nobody receives")
	default:
	}
	a <- 1
	select {
	case a <- 2:
		panic("it is full")
	case x := <-a:
		must(x == 1)
	}
	select {
	case a <- 3:
	default:
		panic("there is room")
	}
	must(len(a) == 1)
}

func NeverHandedOver() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 5
		done <- true
	}()
	<-done
	must(len(c) >= 0)
}

func CanFull() {
	c := make(chan int, 2)
	c <- 1
	must(len(c) == 2)
}

func CanSendClosed() {
	c := make(chan int, 2)
	close(c)
	c <- 1
}

func CanSelectClosed() {
	c := make(chan int)
	close(c)
	select {
	case c <- 1:
	default:
	}
}

func CanOrder() {
	c := make(chan int, 2)
	c <- 1
	c <- 2
	must(<-c == 2)
}
