//go:build go1.21

package keep

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
)

// Nothing that is deferred runs when a fatal error ends a program: a stack overflow, a deadlock, a map written by two at a time. When one
// has been seen, the functions on its stack write what they are called with as they are entered, each call in place of the one before;
// whoever ran the program knows whether it ended so again.

// maxEntered is how often a function may be entered that writes what it is called with: one that is entered more often tells nothing.
const maxEntered = 10_000

var entered = map[int]int{}

// fatal is the fatal error that was seen, as a panic on its way out; nil if there was none.
var fatal *passing

// Fatal says what the text of the fatal error was, and where it happened, innermost frame first.
func Fatal(text string, stack ...runtime.Frame) { fatal = &passing{stack: stack, text: text} }

// Enter is called by a function on the stack of a fatal error as it is entered: its number, type arguments, and pointers to its receiver
// and arguments.
func Enter(number int, types []reflect.Type, args ...any) {
	defer func() { recover() }() // what is recorded must not make things worse
	mu.Lock()
	defer mu.Unlock()
	fatal.next = 0
	at := fatal.find(&funcs[number])
	name := target(1)
	if at < 0 || name == "" {
		return
	}
	// What it calls was entered by an earlier call of it, if at all.
	var calls []call
	for _, c := range fatal.calls {
		if c.frame > at {
			calls = append(calls, c)
		}
	}
	fatal.calls = calls
	if entered[number]++; entered[number] <= maxEntered {
		fatal.calls = append(calls, call{frame: at, fn: number, args: args, types: types})
	} else if entered[number] > maxEntered+1 {
		return
	}
	c := fatal.crash()
	c.ID = "R1"
	if err := save(name, &c); err != nil {
		fmt.Fprintln(os.Stderr, "the recording cannot be written:", err)
		return
	}
	outcome(name + OutcomeSuffix)
}
