//go:build go1.21

// Package check is part of a program whose invariants are checked while it runs.
package check

import (
	"fmt"
	"log"
	"runtime"
	"strings"
	"sync/atomic"
)

// invariant is one that the program checks.
type invariant struct {
	id, fn, at, expr string
	vars             []string // whose values Violated is given
	violations       int64
}

// counted is called for each violation; nil unless the mode is count.
var counted func(id string)

// Violated is called when an invariant, given by its index, is violated. For each of its variables there
// are two values: whether it exists, and what it is.
func Violated(index int, values ...any) {
	v := &table[index]
	n := atomic.AddInt64(&v.violations, 1)
	switch {
	case counted != nil:
		counted(v.id)
	case mode == "panic":
		panic(v.describe(values))
	case isPowerOfTen(n):
		text := v.describe(values)
		if n > 1 {
			text += fmt.Sprintf(" (%d times so far)", n)
		}
		log.Print(text)
	}
}

// Reference is whether a reference is not nil.
type Reference bool

// GoString returns what a message says of the reference.
func (r Reference) GoString() string {
	if r {
		return "not nil"
	}
	return "nil"
}

// describe says what is violated, and by which values.
func (v *invariant) describe(values []any) string {
	var is []string
	for i, name := range v.vars {
		if exists, _ := values[2*i].(bool); exists {
			is = append(is, fmt.Sprintf("%s is %#v", name, values[2*i+1]))
		}
	}
	text := fmt.Sprintf("invariant %s at the %s of %s is violated: %s", v.id, v.at, v.fn, v.expr)
	if len(is) > 0 {
		text += ": " + strings.Join(is, ", ")
	}
	return text
}

func isPowerOfTen(n int64) bool {
	for n%10 == 0 {
		n /= 10
	}
	return n == 1
}

// Returning reports whether the deferred function that calls it runs because its function returns: not
// because of a panic, or runtime.Goexit.
//
//go:noinline
func Returning() bool {
	var pc [1]uintptr
	if runtime.Callers(3, pc[:]) == 0 {
		return false
	}
	f := runtime.FuncForPC(pc[0] - 1)
	return f == nil || f.Name() != "runtime.gopanic" && f.Name() != "runtime.Goexit"
}
