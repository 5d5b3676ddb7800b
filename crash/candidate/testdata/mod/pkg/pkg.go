// Package pkg has functions that harm their process in various ways.
package pkg

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

func Div(x, y int) int { return x / y }

func At(s []int, i int) int { return s[i] }

type Stack struct{ items []int }

func NewStack() *Stack { return &Stack{} }

func (s *Stack) Push(x int) { s.items = append(s.items, x) }

func (s *Stack) Pop() int {
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x
}

func Loop() {
	for {
	}
}

// Calls makes more calls than there is time for, but never a deep stack.
func Calls() { calls2(0) }

func calls2(depth int) {
	if depth < 60 {
		calls2(depth + 1)
		calls2(depth + 1)
	}
}

func Overflow(n int) int { return Overflow(n+1) + 1 }

func Exit() { os.Exit(0) }

var exit = os.Exit

// Leaves exits through a variable; a deferred function panics on the way out.
func Leaves() {
	order = nil
	defer func() { panic("on the way out") }()
	exit(3)
}

func Fatal() { log.Fatal("fatal") }

func Goexit() { runtime.Goexit() }

func GoPanic() {
	go func() { panic("later") }()
	time.Sleep(time.Millisecond)
}

func Leak() { go func() { select {} }() }

func Deadlock() { <-make(chan int) }

func Flood() {
	for range make([]struct{}, 100_000) {
		fmt.Println("flood flood flood")
		fmt.Fprintln(os.Stderr, "flood flood flood")
	}
}

func CloseStreams() {
	os.Stdin.Close()
	os.Stdout.Close()
	os.Stderr.Close()
}

func Memory() int {
	var all [][]byte
	for {
		all = append(all, make([]byte, 1<<28))
		for i := range all[len(all)-1] {
			all[len(all)-1][i] = 1
		}
	}
}

// Share fills n MiB of files without names, mapped to memory, which no resource limit counts as its data, and keeps
// them for a while.
func Share(n int) int {
	const part = 50 << 20 // below the limit of a file
	for left := n << 20; left > 0; left -= part {
		f, err := os.CreateTemp(".", "share")
		if err != nil {
			return 0
		}
		defer f.Close()
		os.Remove(f.Name())
		if f.Truncate(part) != nil {
			return 0
		}
		m, err := syscall.Mmap(int(f.Fd()), 0, part, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if err != nil {
			return 0
		}
		defer syscall.Munmap(m)
		for i := 0; i < len(m); i += 1 << 12 {
			m[i] = 1
		}
	}
	time.Sleep(60 * time.Millisecond)
	return n
}

func MapRace() {
	m := map[int]int{}
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 1_000_000; j++ {
				m[j%10]++
			}
		}()
	}
	wg.Wait()
}

var calls int

var names = []string{"a", "b"}

var order []string

func init() { order = append(order, "first") }

func init() { order = append(order, "second") }

var steps = map[string]func(int) int{
	"half": func(n int) int {
		return 10 / n // the literal's place
	},
}

// Step calls a function literal in a variable that is reset between candidates.
func Step(n int) int {
	steps["last"] = nil
	return steps["half"](n)
}

// Leaky panics if it is called twice in one state.
func Leaky() string {
	calls++
	if len(order) != 2 || order[0] != "first" {
		panic(fmt.Sprint("order is ", order))
	}
	order = append(order, "call")
	names[0] += "x"
	if names[0] != "ax" {
		panic("names are " + names[0])
	}
	return names[calls]
}

// tell writes to the pipe to the parent, which has a high descriptor.
func tell(text []byte) {
	for fd := 240; fd < 244; fd++ {
		syscall.Write(fd, text)
	}
}

// Lie tells the parent of this process what is not so: it cuts off the shared memory (0), announces 4 GiB (1), ends
// the batch with an event of a candidate that does not exist (2), or of a statement (3), or claims to run another one and
// dies (4).
func Lie(how int) int {
	report := func(text string) {
		n := len(text)
		tell(append([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}, text...))
	}
	switch how {
	case 0:
		syscall.Ftruncate(5, 0)
	case 1:
		tell([]byte("\xff\xff\xff\xff"))
	case 2:
		report(`{"events":[{"i":1000000,"kind":"panic"}]}`)
	case 3:
		report(`{"events":[{"i":0,"kind":"panic","stmt":-5}]}`)
	case 4:
		m, err := syscall.Mmap(5, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if err == nil {
			for i := 0; i < 16; i++ {
				m[i] = 0xff
			}
		}
		syscall.Exit(7)
	}
	return how
}

// Limit is for users to set.
var Limit = 3

func Limited() {
	if Limit == 7 {
		panic("limited")
	}
}

// Again recovers from one panic and raises another.
func Again(s []int, i int) int {
	defer func() {
		if v := recover(); v != nil {
			panic("again")
		}
	}()
	return s[i]
}
