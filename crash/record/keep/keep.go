//go:build go1.21

package keep

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Func describes a recorded function.
type Func struct {
	// Name is the name in documents: example.com/m.(*T).Add. Symbol is the name in stack
	// traces, without type arguments. Main is that name in a program whose main package has the
	// function; it is empty for functions of other packages.
	Name, Symbol, Main string
	// Inputs are the names of the receiver, if there is one, and the parameters.
	Inputs   []string
	Receiver bool
	// Globals are the package-level variables that the function reads.
	Globals []string
	// Closure reports whether recording adds a function literal, which is then the first one.
	Closure bool
}

// call is a call that a panic has left.
type call struct {
	frame int   // index into the stack of the panic
	fn    int   // index into funcs
	args  []any // pointers to the receiver and the arguments
	types []reflect.Type
	// saved are pointers to fields, each followed by one to what the field held on entry.
	saved []any
}

// unwinding is a panic that unwinds the stack.
type unwinding struct {
	// stack has the frames outwards from the panic, and next is the index of the first one that
	// the panic has not left yet.
	stack []runtime.Frame
	next  int
	value any
	known bool   // whether value is the value of the panic
	text  string // the stack trace
	calls []call
	name  string // of the file, once it is written
	here  string // the function that was called, if it is no panic
}

var (
	mu sync.Mutex // guards the variables below, after Register

	funcs   []Func
	symbols = map[string]int{} // index into funcs, by Symbol and by Main

	// pending are the panics that unwind a stack, by goroutine, and order has the goroutines,
	// the oldest panic first.
	pending = map[string]*unwinding{}
	order   []string
)

// maxPending bounds the panics that are kept at a time. Panics that an unrecorded function
// recovered from are among them until their goroutine panics again.
const maxPending = 100

// Register sets the recorded functions of the program.
func Register(list []Func) {
	funcs = list
	for i, f := range list {
		symbols[f.Symbol] = i
		if f.Main != "" {
			symbols[f.Main] = i
		}
	}
}

// TypeOf returns a type argument, for Types.
func TypeOf[T any]() reflect.Type { return reflect.TypeOf((*T)(nil)).Elem() }

// Types returns its arguments, the type arguments of a call.
func Types(list ...reflect.Type) []reflect.Type { return list }

// Frame keeps the arguments of a function that a panic unwinds. The function's deferred function
// calls it if the function did not return, with the number of the function, its type arguments, and
// pointers to its receiver and arguments. It does nothing without a panic, as when a goroutine
// ends.
func Frame(number int, types []reflect.Type, args ...any) { unwind(number, types, nil, args) }

// FrameUsed is like Frame for functions that save fields on entry: saved are pointers to fields,
// each followed by a pointer to what the field held.
func FrameUsed(number int, types []reflect.Type, saved []any, args ...any) {
	unwind(number, types, saved, args)
}

// unwind keeps a call that a panic leaves, and writes the panic once it has left the outermost
// recorded function.
func unwind(number int, types []reflect.Type, saved, args []any) {
	defer func() { recover() }() // recording must not make things worse
	stack := panicStack(maxStack)
	mu.Lock()
	defer mu.Unlock()
	if stack == nil && len(pending) == 0 {
		return
	}
	trace := string(debug.Stack())
	goroutine, _, _ := strings.Cut(trace, "[")
	if stack == nil { // the function recovered from the panic, or its goroutine ends
		forget(goroutine)
		return
	}
	p := pending[goroutine]
	if p == nil || !p.same(stack) {
		p = &unwinding{stack: stack, text: trace}
		p.value, p.known = panicValue(trace)
		forget(goroutine)
		if len(order) == maxPending {
			forget(order[0])
		}
		pending[goroutine], order = p, append(order, goroutine)
	}
	at := p.find(&funcs[number])
	if at < 0 && len(p.calls) > 0 { // another panic with the same stack
		p.next, p.calls = 0, nil
		at = p.find(&funcs[number])
	}
	if at < 0 {
		return
	}
	p.calls = append(p.calls, call{at, number, args, types, saved})
	p.next = at + 1
	switch {
	case p.outermost():
		forget(goroutine)
		write(p)
	case switches != nil: // a function further out may have been entered before its switch came on
		write(p)
	}
}

// forget drops the panic of a goroutine.
func forget(goroutine string) {
	if pending[goroutine] == nil {
		return
	}
	delete(pending, goroutine)
	for i, g := range order {
		if g == goroutine {
			order = append(order[:i:i], order[i+1:]...)
			return
		}
	}
}

// same reports whether a stack is that of the panic.
func (p *unwinding) same(stack []runtime.Frame) bool {
	if len(stack) != len(p.stack) {
		return false
	}
	for i := range stack {
		if stack[i].PC != p.stack[i].PC {
			return false
		}
	}
	return true
}

// find returns the index of the next frame of a function that the panic leaves, or -1.
func (p *unwinding) find(f *Func) int {
	for i := p.next; i < len(p.stack); i++ {
		if s := symbolOf(p.stack[i].Function); s == f.Symbol || s == f.Main {
			return i
		}
	}
	return -1
}

// outermost reports whether no recorded function is left to unwind before the panic ends the
// program or reaches a function where the user wants recovered panics recorded.
func (p *unwinding) outermost() bool {
	for _, f := range p.stack[p.next:] {
		if at[f.Function] {
			return true
		}
		if k, ok := symbols[symbolOf(f.Function)]; ok && isOn(k) {
			return false
		}
	}
	return true
}
