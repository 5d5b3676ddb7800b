//go:build go1.21

package run

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// ended notes that a candidate did not run to its end; r is what it panicked with, nil if it ended its goroutine, and end is in the
// frame of the function that executes candidates.
func (w *worker) ended(r any, end unsafe.Pointer) {
	if r == nil {
		w.tell(Event{Kind: "goexit", Stmt: w.stmt})
		return
	}
	w.report.Panics++
	key := w.key(r, end)
	w.stack = key
	if w.seen[key]++; w.seen[key] > w.same {
		return
	}
	w.tell(Event{Kind: "panic", Stmt: w.stmt, Key: key, Nil: w.passesNil(), Called: called, Judged: judged, Met: met,
		Text: "panic: " + text(r) + "\n\n" + string(debug.Stack())})
}

// key is what tells a panic apart: the stack, and the kind, as a line may panic in several ways.
func (w *worker) key(r any, end unsafe.Pointer) uint64 {
	key := w.traces.key(end)
	if e, ok := r.(runtime.Error); ok {
		for _, c := range []byte(kindOf(e.Error())) {
			key = mixed(key, uint64(c))
		}
	}
	return key
}

// FNV-1a.
const seed = 14695981039346656037

func mixed(key, x uint64) uint64 { return (key ^ x) * 1099511628211 }

// traces are what tells stacks apart, by a hash of all that looks like an address of code on them. What is on a stack besides the addresses
// that functions return to makes no stack look like another, it only has the one looked at again: to read its memory takes a small part of
// the time of runtime.Callers.
type traces struct {
	keys   map[uint64]uint64
	lo, hi uintptr // where code is
	pcs    [64]uintptr
}

// maxTraces is how many hashes are kept.
const maxTraces = 1 << 16

// find finds the program's code.
func (t *traces) find() {
	const page = 1 << 12
	pc, _, _, _ := runtime.Caller(0)
	for t.lo = pc; runtime.FuncForPC(t.lo-page) != nil; t.lo -= page {
	}
	for t.hi = pc; runtime.FuncForPC(t.hi) != nil; t.hi += page {
	}
	t.lo -= page
}

// key is what tells the stack of the goroutine apart, up to end, which is on it.
func (t *traces) key(end unsafe.Pointer) uint64 {
	if len(t.keys) == maxTraces {
		clear(t.keys)
	}
	hash := t.hash(end)
	key, ok := t.keys[hash]
	if !ok {
		key = seed
		for _, pc := range t.pcs[:runtime.Callers(5, t.pcs[:])] {
			key = mixed(key, uint64(pc))
		}
		t.keys[hash] = key
	}
	return key
}

// hash reads the stack from here to end. Where an address stands matters: elsewhere it may be what an earlier call left behind.
func (t *traces) hash(end unsafe.Pointer) uint64 {
	here := 0
	key, at := uint64(seed), uint64(0)
	for p := unsafe.Pointer(&here); uintptr(p) < uintptr(end); p = unsafe.Add(p, unsafe.Sizeof(uintptr(0))) {
		at++
		if x := *(*uintptr)(p); x-t.lo < t.hi-t.lo {
			key = mixed(mixed(key, at), uint64(x))
		}
	}
	return key
}

// passesNil says that an argument of the statement that is executed is nil.
func (w *worker) passesNil() bool {
	for i := range w.frame.args {
		v := reflect.ValueOf(w.frame.Arg(i))
		switch v.Kind() {
		case reflect.Invalid:
			if !w.mayBeNil(i) {
				return true
			}
		case reflect.Ptr, reflect.Func, reflect.Interface:
			if v.IsNil() {
				return true
			}
		}
	}
	return false
}

// mayBeNil says that an argument of the statement that is executed may well be nil.
func (w *worker) mayBeNil(arg int) bool {
	for _, i := range w.op.Any {
		if i == arg {
			return true
		}
	}
	return false
}

// kindOf is a message without what follows its first number or quotation.
func kindOf(s string) string {
	for i := 0; i < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' || s[i] == '[' || s[i] == '"' {
			return s[:i]
		}
	}
	return s
}

// text is a panic's value as Go prints it.
func text(r any) (out string) {
	defer func() {
		if recover() != nil {
			out = fmt.Sprintf("(%T) whose text panics", r)
		}
	}()
	switch v := r.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	switch v := fmt.Sprint(r); r.(type) {
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, complex64, complex128:
		return fmt.Sprintf("%T(%s)", r, v)
	}
	return fmt.Sprintf("(%T) %p", r, r)
}
