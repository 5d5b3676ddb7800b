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

// traces are what tells stacks apart: the addresses on them that functions return to. Where frames are linked they are read off that list;
// runtime.Callers, which decodes tables for each frame, is asked once for each list.
type traces struct {
	keys map[uint64]uint64
	pcs  [64]uintptr
	// record is how far the frame record of chain lies from its local variable: the address of the caller's record, and behind it the
	// address that chain returns to. It is 0 where frames are not linked so.
	record uintptr
	// sigpanic is where the code of the runtime's function is that stands between what touched no memory and gopanic.
	sigpanic [2]uintptr
	lo, hi   uintptr // where code is
}

// maxTraces is how many lists are kept.
const maxTraces = 1 << 16

// find finds out how frames are linked.
func (t *traces) find() {
	const page = 1 << 12
	pc, _, _, _ := runtime.Caller(0)
	for t.lo = pc; runtime.FuncForPC(t.lo-page) != nil; t.lo -= page {
	}
	for t.hi = pc; runtime.FuncForPC(t.hi) != nil; t.hi += page {
	}
	t.lo -= page
	for _, pc := range faulting(nil) {
		f := runtime.FuncForPC(pc - 1)
		if f == nil || f.Name() != "runtime.sigpanic" {
			continue
		}
		from := f.Entry()
		to := pc
		for g := runtime.FuncForPC(to); g != nil && g.Entry() == from; g = runtime.FuncForPC(to) {
			to++
		}
		t.sigpanic = [2]uintptr{from, to}
	}
	if runtime.GOARCH == "amd64" && t.sigpanic[0] != 0 {
		end := 0
		t.chain(unsafe.Pointer(&end))
	}
}

// faulting are the callers of a function that is deferred as memory is touched that is not there.
//
//go:noinline
func faulting(p *int) (pcs []uintptr) {
	defer func() {
		recover()
		pcs = make([]uintptr, 8)
		pcs = pcs[:runtime.Callers(1, pcs)]
	}()
	*p = 1
	return nil
}

// key is what tells the stack of the goroutine apart, up to end, which is on it.
func (t *traces) key(end unsafe.Pointer) uint64 {
	if len(t.keys) == maxTraces {
		clear(t.keys)
	}
	hash, linked := t.chain(end)
	if key, ok := t.keys[hash]; ok && linked {
		return key
	}
	key := uint64(seed)
	for _, pc := range t.pcs[:runtime.Callers(5, t.pcs[:])] {
		key = mixed(key, uint64(pc))
	}
	if linked {
		t.keys[hash] = key
	}
	return key
}

// chain reads the list of frames from here to end; false if there is none. Called for the first time it looks for its own record.
//
//go:noinline
func (t *traces) chain(end unsafe.Pointer) (hash uint64, ok bool) {
	const word = unsafe.Sizeof(uintptr(0))
	here := 0
	base := unsafe.Pointer(&here)
	from, to := uintptr(base), uintptr(end)
	at := func(p uintptr) uintptr { return *(*uintptr)(unsafe.Add(base, p-from)) }
	if t.record == 0 {
		var caller [1]uintptr
		runtime.Callers(2, caller[:])
		for p := from; p < to; p += word {
			if at(p+word) == caller[0] && at(p) > p {
				t.record = p - from
				break
			}
		}
		return 0, false
	}
	hash = seed
	inner := uintptr(0) // what the frame called
	for p := from + t.record; p < to; {
		pc := at(p + word)
		hash = mixed(hash, uint64(pc))
		if inner-t.sigpanic[0] < t.sigpanic[1]-t.sigpanic[0] {
			// What touched the memory may be a function without a frame. Then the address that it returns to stands here alone.
			if x := at(p + 2*word); x-t.lo < t.hi-t.lo {
				hash = mixed(hash, uint64(x))
			}
		}
		next := at(p)
		if next <= p {
			return 0, false
		}
		inner, p = pc, next
	}
	return hash, true
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
