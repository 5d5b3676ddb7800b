//go:build go1.21

// Package keep keeps the arguments of the functions that a panic passes, and writes them down. It is embedded, and becomes a package of
// the testee.
//
// Every function that is recorded has a deferred function, the first, that calls Frame if the function did not return. What that costs
// without a panic is a store and a test.
package keep

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// Func is a function that is recorded; the program's are set by Register.
type Func struct {
	// Name is that of documents: example.com/m.(*T).Add. Symbol is what the runtime calls it, but for type arguments, and Main what it does
	// in a program that the package is the main one of.
	Name, Symbol, Main string
	// Inputs are the receiver, if there is one, and the parameters.
	Inputs   []string
	Receiver bool
	// Globals are the package-level variables that it reads.
	Globals []string
	// Closure says that a function literal was added to it, the first.
	Closure bool
}

var (
	mu sync.Mutex
	// funcs are by number, and symbols says which there are.
	funcs   []Func
	symbols = map[string]int{}
	// pending are panics on their way out, by goroutine, and waiting are the goroutines, the oldest first.
	pending = map[string]*passing{}
	waiting []string
)

// Register adds the functions of the program.
func Register(list []Func) {
	funcs = list
	for i, f := range list {
		symbols[f.Symbol] = i
		if f.Main != "" {
			symbols[f.Main] = i
		}
	}
}

// Types are type arguments.
func Types(list ...reflect.Type) []reflect.Type { return list }

// passing is a panic on its way out.
type passing struct {
	// stack are the frames from the panic outwards, and next is the first of them that the panic has not left yet.
	stack []runtime.Frame
	next  int
	value any
	known bool // value is
	text  string
	calls []call
}

// call is a call that the panic has left.
type call struct {
	frame int // in the stack
	fn    int
	args  []any
	types []reflect.Type // type arguments
	// saved are pointers to fields, each followed by one to what the field held as the function was entered.
	saved []any
}

// TypeOf is a type argument.
func TypeOf[T any]() reflect.Type { return reflect.TypeOf((*T)(nil)).Elem() }

// maxPending is how many panics may be on their way at a time. Those that something on the way recovered from are still among them.
const maxPending = 100

// maxStack is how many frames of a stack are looked at.
const maxStack = 10_000

// Frame is called by the deferred function of a function that does not return: its number, type arguments, and pointers to its receiver
// and arguments. It does nothing unless a panic is what passes.
func Frame(number int, types []reflect.Type, args ...any) { passed(number, types, nil, args) }

// FrameUsed is like Frame; saved are pointers to fields, each followed by one to what the field held as the function was entered.
func FrameUsed(number int, types []reflect.Type, saved []any, args ...any) {
	passed(number, types, saved, args)
}

// gopanic is where the code is of the runtime's function that calls what is deferred as a panic passes.
var gopanic = func() (code struct{ from, to uintptr }) {
	defer func() {
		recover()
		pcs := make([]uintptr, 8)
		for _, pc := range pcs[:runtime.Callers(1, pcs)] {
			if f := runtime.FuncForPC(pc - 1); f != nil && f.Name() == "runtime.gopanic" {
				code.from = f.Entry()
				for code.to = pc; runtime.FuncForPC(code.to) == f; code.to++ {
				}
			}
		}
	}()
	panic("")
}()

// Panicking says that the deferred function that calls it was called by a panic. It costs less than Frame.
func Panicking() bool {
	var pcs [3]uintptr
	n := runtime.Callers(2, pcs[:]) // Callers, Panicking
	if n > 1 && gopanic.from <= pcs[1] && pcs[1] <= gopanic.to {
		return true
	}
	return n > 2 && gopanic.from <= pcs[2] && pcs[2] <= gopanic.to && strings.Contains(runtime.FuncForPC(pcs[1]-1).Name(), ".deferwrap")
}

// passed notes that a panic passes a function.
func passed(number int, types []reflect.Type, saved, args []any) {
	defer func() { recover() }() // what is recorded must not make things worse
	stack := unwound()
	mu.Lock()
	defer mu.Unlock()
	if stack == nil && len(pending) == 0 {
		return
	}
	trace := string(debug.Stack())
	goroutine, _, _ := strings.Cut(trace, "[")
	if stack == nil { // it recovered from the panic, or its goroutine ends
		forget(goroutine)
		return
	}
	p := pending[goroutine]
	if p == nil || !p.same(stack) {
		p = &passing{stack: stack, text: trace}
		p.value, p.known = panicked(trace)
		forget(goroutine)
		if len(waiting) == maxPending {
			forget(waiting[0])
		}
		pending[goroutine], waiting = p, append(waiting, goroutine)
	}
	at := p.find(&funcs[number])
	if at < 0 && len(p.calls) > 0 { // the same place again
		p.next, p.calls = 0, nil
		at = p.find(&funcs[number])
	}
	if at < 0 {
		return
	}
	p.calls = append(p.calls, call{at, number, args, types, saved})
	p.next = at + 1
	if p.outermost() {
		forget(goroutine)
		write(p)
	}
}

// forget drops what is kept of a goroutine's panic.
func forget(goroutine string) {
	if pending[goroutine] == nil {
		return
	}
	delete(pending, goroutine)
	for i, g := range waiting {
		if g == goroutine {
			waiting = append(waiting[:i:i], waiting[i+1:]...)
			return
		}
	}
}

// unwound are the frames from the panic that passes outwards; nil if the deferred function that calls was called as its function ends,
// or as its goroutine does.
func unwound() []runtime.Frame {
	pcs := make([]uintptr, 64)
	n := 0
	for {
		n = runtime.Callers(4, pcs) // Callers, unwound, passed, Frame
		if n < len(pcs) || n >= maxStack {
			break
		}
		pcs = make([]uintptr, 4*len(pcs))
	}
	frames := runtime.CallersFrames(pcs[:n])
	_, more := frames.Next() // the deferred function
	if !more {
		return nil
	}
	f, more := frames.Next()
	for more && (strings.Contains(f.Function, "._dsd_leave") || strings.Contains(f.Function, ".deferwrap")) {
		f, more = frames.Next()
	}
	if f.Function != "runtime.gopanic" {
		return nil
	}
	var out []runtime.Frame
	for more {
		f, more = frames.Next()
		f.Function = plain(f.Function)
		out = append(out, f)
	}
	return out
}

// plain is the name of a function as it is without recording: the function literals behind the one that was added have other numbers.
func plain(name string) string {
	for from := 0; ; {
		i := strings.Index(name[from:], ".func")
		if i < 0 {
			return name
		}
		from += i
		digits := from + len(".func")
		end := digits
		for end < len(name) && name[end] >= '0' && name[end] <= '9' {
			end++
		}
		if n, err := strconv.Atoi(name[digits:end]); err == nil && n > 1 {
			if k, ok := symbols[symbolOf(name[:from])]; ok && funcs[k].Closure {
				return fmt.Sprintf("%s%d%s", name[:digits], n-1, name[end:])
			}
		}
		from = digits
	}
}

// same says that a stack is that of the panic.
func (p *passing) same(stack []runtime.Frame) bool {
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

// find is the next frame that the panic leaves of a function, -1 if there is none.
func (p *passing) find(f *Func) int {
	for i := p.next; i < len(p.stack); i++ {
		if s := symbolOf(p.stack[i].Function); s == f.Symbol || s == f.Main {
			return i
		}
	}
	return -1
}

// outermost says that the panic has left all functions that are recorded, or the one where it is recovered that the user named.
func (p *passing) outermost() bool {
	for _, f := range p.stack[p.next:] {
		if at[f.Function] {
			return true
		}
		if _, ok := symbols[symbolOf(f.Function)]; ok {
			return false
		}
	}
	return true
}

// symbolOf is a function's name without type arguments.
func symbolOf(name string) string {
	if i := strings.Index(name, "[...]"); i >= 0 {
		return name[:i] + name[i+len("[...]"):]
	}
	return name
}

// words are those of the value that the innermost panic of a stack's text has.
var words = regexp.MustCompile(`(?m)^panic\(\{(0x[0-9a-f]+)\??, (0x[0-9a-f]+)\??\}`)

// panicked is the value of the panic that passes: the stack's text has the words of its interface, which the panic itself keeps alive.
func panicked(trace string) (v any, ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			v, ok = nil, false
		}
	}()
	m := words.FindStringSubmatch(trace)
	if m == nil {
		return nil, false
	}
	var w [2]uintptr
	for i := range w {
		n, err := strconv.ParseUint(m[i+1], 0, 64)
		if err != nil {
			return nil, false
		}
		w[i] = uintptr(n)
	}
	v = *(*any)(unsafe.Pointer(&w))
	_ = fmt.Sprintf("%T", v)
	return v, true
}

// message is a panic's value as Go prints it.
func message(v any) (out string) {
	defer func() {
		if recover() != nil {
			out = fmt.Sprintf("(%T) whose text panics", v)
		}
	}()
	switch v := v.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	switch k := reflect.ValueOf(v).Kind(); {
	case k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String:
		return fmt.Sprintf("%T(%#v)", v, v)
	}
	return fmt.Sprintf("(%T) %p", v, v)
}
