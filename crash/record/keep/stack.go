//go:build go1.21

package keep

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"
)

// maxStack is the number of frames up to which a stack is read.
const maxStack = 10_000

// gopanic is the code of runtime.gopanic, the function that runs deferred functions for a panic.
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

// Panicking reports whether a panic called the deferred function that calls Panicking. It costs
// less than Frame, and serves functions that may panic in a deferred call, after they returned.
func Panicking() bool {
	var pcs [3]uintptr
	n := runtime.Callers(2, pcs[:]) // skips Callers and Panicking
	if n > 1 && gopanic.from <= pcs[1] && pcs[1] <= gopanic.to {
		return true
	}
	// A deferred call with arguments has a wrapper around it.
	return n > 2 && gopanic.from <= pcs[2] && pcs[2] <= gopanic.to &&
		strings.Contains(runtime.FuncForPC(pcs[1]-1).Name(), ".deferwrap")
}

// panicStack returns the frames outwards from the panic that called the deferred function. It
// returns nil if no panic did, but the end of the function or of its goroutine. It reads about most frames.
func panicStack(most int) []runtime.Frame {
	pcs := make([]uintptr, 64)
	n := 0
	for {
		n = runtime.Callers(4, pcs) // skips Callers, panicStack, unwind, Frame
		if n < len(pcs) || n >= most {
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
	for more && isWrapper(f.Function) {
		f, more = frames.Next()
	}
	if f.Function != "runtime.gopanic" {
		return nil
	}
	var out []runtime.Frame
	for more {
		f, more = frames.Next()
		f.Function = originalName(f.Function)
		out = append(out, f)
	}
	return out
}

// isWrapper reports whether a function may stand between the deferred function and the panic: the
// one that recording added, and the wrapper of a deferred call with arguments.
func isWrapper(name string) bool {
	return strings.Contains(name, "._dsd_leave") || strings.Contains(name, ".deferwrap")
}

// originalName returns the name that a function has when it is not recorded. The compiler numbers
// function literals, and where recording added the first one, all others have the next number.
func originalName(name string) string {
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

// symbolOf returns the name of a function without type arguments.
func symbolOf(name string) string {
	if i := strings.Index(name, "[...]"); i >= 0 {
		return name[:i] + name[i+len("[...]"):]
	}
	return name
}

// panicWords matches the innermost call of panic in a stack trace, with the two words of its
// interface value.
var panicWords = regexp.MustCompile(`(?m)^panic\(\{(0x[0-9a-f]+)\??, (0x[0-9a-f]+)\??\}`)

// panicValue returns the value of the panic whose stack trace is given. A deferred function cannot
// ask for it without recovering, so it is rebuilt from the words in the trace, which are valid as
// long as the panic itself refers to the value.
func panicValue(trace string) (v any, ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			v, ok = nil, false
		}
	}()
	m := panicWords.FindStringSubmatch(trace)
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
	_ = fmt.Sprintf("%T", v) // panics if the words are no interface value
	return v, true
}

// message returns the text that Go prints for the value of a panic.
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
