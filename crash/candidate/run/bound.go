//go:build go1.21

package run

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

// The testee's loops and calls are counted, and calls that would end the process end the candidate
// instead: starting a process costs as much as thousands of candidates.

// Passes is the number of loop passes and calls of the testee's functions that the candidate may
// still make.
var Passes int64 = math.MaxInt64

// ManyPasses are so many that a candidate is slow, on whatever machine.
const ManyPasses = 1 << 20

// endKind is why the candidate is being ended, "" if it is not, and endText describes it. running
// reports whether a candidate is running.
var (
	endKind EventKind
	endText string
	running bool
)

// OutOfPasses ends a candidate that has no passes left. It ends the goroutine because, unlike a
// panic, nothing can recover from that; deferred functions run.
func OutOfPasses() {
	if !running {
		Passes = math.MaxInt64
		return
	}
	if endKind == "" {
		endKind = KindHang
		if hangs++; hangs <= maxHangStacks {
			endText = string(debug.Stack())
		}
	}
	runtime.Goexit()
}

// maxHangStacks is the number of hangs whose stacks are reported.
const maxHangStacks = 100

// hangs is the number of hangs so far.
var hangs int

// Exit stands for os.Exit.
func Exit(code int) {
	if !running {
		os.Exit(code)
	}
	if endKind == "" {
		endKind, endText = KindExit, "exit status "+strconv.Itoa(code)
	}
	runtime.Goexit()
}

// Fatal stands for log.Fatal and log.Fatalln.
func Fatal(...any) { Exit(1) }

// Fatalf stands for log.Fatalf.
func Fatalf(string, ...any) { Exit(1) }
