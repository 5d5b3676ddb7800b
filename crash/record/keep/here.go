//go:build go1.21

package keep

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
)

// A program can be recorded without a panic, where it calls a function that the user names. Nothing
// unwinds the stack then, so the functions that may lead there keep their arguments while they run.

// calledHere begins the text of such a recording: schemas.CalledHere.
const calledHere = "recorded at a call of "

var (
	running   = map[string][]call{} // the calls of each goroutine, innermost last
	runningMu sync.Mutex
	// encoder is the goroutine that encodes a document, "" if there is none. It holds mu, and values print
	// themselves meanwhile.
	encoder atomic.Value // string
)

// Push keeps the arguments of a function that was entered: its number, its type arguments, and
// pointers to its receiver and arguments. The function defers Pop.
func Push(number int, types []reflect.Type, args ...any) {
	g := goroutine()
	runningMu.Lock()
	running[g] = append(running[g], call{fn: number, args: args, types: types})
	runningMu.Unlock()
}

// Pop drops what Push kept.
func Pop() {
	g := goroutine()
	runningMu.Lock()
	if calls := running[g]; len(calls) > 1 {
		running[g] = calls[:len(calls)-1]
	} else {
		delete(running, g)
	}
	runningMu.Unlock()
}

// Here records the stack of the function that calls it.
func Here() {
	defer func() { recover() }() // recording must not make things worse
	if encoder.Load() == goroutine() {
		return
	}
	p := &unwinding{stack: callers(), text: string(debug.Stack())}
	if len(p.stack) == 0 {
		return
	}
	p.here = p.stack[0].Function
	if i := strings.Index(p.text, "\n"+p.here+"("); i >= 0 { // what stands before it is ours
		head, _, _ := strings.Cut(p.text, "\n")
		p.text = head + p.text[i:]
	}
	g := goroutine()
	runningMu.Lock()
	calls := append([]call(nil), running[g]...)
	runningMu.Unlock()
	mu.Lock()
	defer mu.Unlock()
	for i := len(calls) - 1; i >= 0; i-- {
		if at := p.find(&funcs[calls[i].fn]); at >= 0 {
			calls[i].frame, p.next = at, at+1
			p.calls = append(p.calls, calls[i])
		}
	}
	write(p)
}

// callers returns the frames outwards from the function that calls Here.
func callers() (out []runtime.Frame) {
	pcs := make([]uintptr, maxStack)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)]) // skips Callers, callers, Here
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		f.Function = originalName(f.Function)
		out = append(out, f)
	}
	return out
}
