//go:build go1.21

package keep

import (
	"reflect"
	"runtime"
)

// No deferred function runs when a fatal error ends a program: a stack overflow, a deadlock, a
// concurrent write to a map. So the second run after a fatal error records differently: the
// functions on the stack of the first one write their arguments on entry, and each call replaces
// the one before. Package record keeps the recording if the program ended in the same way again.

// maxEntered is the number of calls of a function up to which each writes its arguments. The
// arguments of a function that is called more often carry no information about the fatal error.
const maxEntered = 10_000

// entered counts the calls, by number of the function.
var entered = map[int]int{}

// fatal is the fatal error that was seen, as a panic that unwinds its stack; nil if there was none.
var fatal *unwinding

// Fatal sets the fatal error that was seen: its text, and its stack, innermost frame first.
func Fatal(text string, stack ...runtime.Frame) { fatal = &unwinding{stack: stack, text: text} }

// Enter records a call of a function on the stack of the fatal error. It is called when the
// function is entered, with its number, its type arguments, and pointers to its receiver and
// arguments.
func Enter(number int, types []reflect.Type, args ...any) {
	defer func() { recover() }() // recording must not make things worse
	mu.Lock()
	defer mu.Unlock()
	fatal.next = 0
	at := fatal.find(&funcs[number])
	name := fileName(1)
	if at < 0 || name == "" {
		return
	}
	// Callees that are recorded belong to an earlier call of the function.
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
	text, _ := fatal.encode()
	if text == nil {
		return
	}
	if err := save(name, text); err != nil {
		lost(err)
		return
	}
	watchEnd(name + OutcomeSuffix)
}
