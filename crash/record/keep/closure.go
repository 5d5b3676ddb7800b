//go:build go1.21

package keep

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Go has no way to read the captured variables of a closure from outside. So recording inserts a call of
// Captured at the beginning of each function literal, which is made only while Asked is set, and ask
// calls the closure: Captured ends that call by a panic that carries copies of the variables.

// Literal describes a function literal of the program.
type Literal struct {
	// At is where it is, as in schemas.Node.Literal.
	At string
	// File and Line are where its code begins, as stack traces say it.
	File string
	Line int
	// Captured are the names of the variables around it that it uses.
	Captured []string
}

// Asked reports whether a closure is being asked.
var Asked atomic.Bool

var (
	literals []Literal
	// begins has the lines on which literals begin, as file:line.
	begins map[string]bool
	// asker is the goroutine that asks. Others may call closures meanwhile.
	asker atomic.Value // string
)

// Literals sets the function literals that call Captured with their index.
func Literals(list []Literal) { literals = list }

// answer is the value of that panic: the index of the literal, and pointers to copies of its captured
// variables.
type answer struct {
	number   int
	captured []any
}

// Captured ends the call of a function literal by a panic with the number of the literal and pointers to copies of
// its captured variables, if this goroutine is in ask. Otherwise it does nothing, and the call goes on.
func Captured(number int, pointers ...any) {
	if asking() {
		panic(&answer{number, pointers})
	}
}

// asking reports whether this goroutine asks a closure.
func asking() bool { return Asked.Load() && asker.Load() == goroutine() }

// goroutine returns the name of the current goroutine.
func goroutine() string {
	var b [40]byte
	name, _, _ := strings.Cut(string(b[:runtime.Stack(b[:], false)]), "[")
	return name
}

// closure returns the address of what a function value, which must be addressable and not nil,
// points to: two values are the same closure if they have the same.
func closure(v reflect.Value) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr()))
}

// ask returns what a closure has captured, nil if it is of no known literal. The caller holds mu.
func (g *graph) ask(v reflect.Value) (a *answer) {
	at := closure(v)
	if a, ok := g.answers[at]; ok {
		return a
	}
	defer func() { g.answers[at] = a }()
	if !isLiteral(v) {
		return nil
	}
	args := make([]reflect.Value, v.Type().NumIn())
	for i := range args {
		args[i] = reflect.Zero(v.Type().In(i))
	}
	asker.Store(goroutine())
	Asked.Store(true)
	defer func() {
		Asked.Store(false)
		said, ok := recover().(*answer)
		if ok && said.number < len(literals) && len(said.captured) == len(literals[said.number].Captured) {
			a = said
		}
	}()
	v = readable(v)
	if v.Type().IsVariadic() {
		v.CallSlice(args)
	} else {
		v.Call(args)
	}
	return nil
}

// isLiteral reports whether a function value is a literal that calls Captured.
func isLiteral(v reflect.Value) bool {
	f := runtime.FuncForPC(v.Pointer())
	if f == nil || !strings.Contains(f.Name(), ".func") || strings.Contains(f.Name(), "-range") {
		return false
	}
	if begins == nil {
		begins = map[string]bool{}
		for _, l := range literals {
			begins[fmt.Sprintf("%s:%d", l.File, l.Line)] = true
		}
	}
	file, line := f.FileLine(f.Entry())
	return begins[fmt.Sprintf("%s:%d", file, line)]
}

// closureNode makes a node refer to the object of a closure, and reports whether that is possible.
func (g *graph) closureNode(n *Node, v reflect.Value) bool {
	a := g.ask(v)
	if a == nil {
		return false
	}
	k := regionKey{closure(v), v.Type(), -3}
	r := g.regions[k]
	if r == nil {
		r = &region{object: len(g.objects)}
		g.regions[k] = r
		g.objects = append(g.objects, Node{})
		l := literals[a.number]
		o := Node{Type: typeText(v.Type()), Literal: l.At}
		for i, name := range l.Captured {
			o.Fields = append(o.Fields, Input{name, g.node(pointee(a.captured[i]))})
		}
		g.objects[r.object] = o
	}
	i := r.object
	n.Ref = &i
	return true
}
