//go:build go1.21

package run

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

// The testee's loops and calls count themselves, and what would end the process ends the candidate alone: a new process costs as
// much as thousands of candidates.

// Passes is how many loop passes and calls of the testee's functions are left to the candidate; see Spent.
var Passes int64 = math.MaxInt64

// PassesVariable is the environment variable that says how many a candidate may make; without it any number.
const PassesVariable = "DSD_PASSES"

// ending is why the candidate is being ended, the kind of an event, "" if it is not; about says more. running says that there is
// a candidate.
var (
	ending, about string
	running       bool
)

// Spent ends a candidate that has no passes left. Nothing can recover from that, as from a panic; what is deferred runs.
func Spent() {
	if !running {
		Passes = math.MaxInt64
		return
	}
	if ending == "" {
		ending = "hang"
		if hangs++; hangs <= maxHangs {
			about = string(debug.Stack())
		}
	}
	runtime.Goexit()
}

// maxHangs is of how many hangs the stack is told.
const maxHangs = 100

// hangs counts them.
var hangs int

// Exit is os.Exit.
func Exit(code int) {
	if !running {
		os.Exit(code)
	}
	if ending == "" {
		ending, about = "exit", "exit status "+strconv.Itoa(code)
	}
	runtime.Goexit()
}

// Fatal is log.Fatal and its like.
func Fatal(...any) { Exit(1) }

// Fatalf is log.Fatalf.
func Fatalf(string, ...any) { Exit(1) }
