//go:build go1.21

package run

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"unsafe"
)

// ended reports a candidate that did not run to its end. r is the value that it panicked with, or
// nil if it ended its goroutine. end points into the frame of the function that executes
// candidates.
func (w *worker) ended(r any, end unsafe.Pointer) {
	if r == nil {
		w.emit(Event{Kind: KindGoexit, Stmt: w.stmt})
		return
	}
	w.report.Panics++
	key := w.key(r, end)
	w.stackKey = key
	nearer, counted := false, key
	if trail != nil && distance(trail) == 0 {
		text := panicText(r)
		counted ^= w.words(text)
		if len(wantedNumbers) > 0 {
			w.numbers = numbersDistance(text)
			if nearer = w.numbers < w.nearestNumbers; nearer {
				w.nearestNumbers = w.numbers
			}
			if w.numbers == 0 {
				counted ^= 1 // apart from those with other numbers
			}
		}
	}
	if w.panics[counted]++; w.panics[counted] > w.maxPerStack && !nearer {
		return
	}
	w.emit(Event{
		Kind: KindPanic, Stmt: w.stmt, StackKey: key, Nil: w.passesNil(),
		Called: called, PreChecked: preChecked, PreHeld: preHeld, ArgsHeld: argsHeld,
		Text: panicChain(r, string(debug.Stack())),
	})
}

// maxWords is the number of messages with different words that are told apart at the line that is sought.
const maxWords = 64

// words returns a number for what the first line of a panic's text has besides digits, such as the names of types. There
// panics with the same stack are counted apart by it, since only one of them may be the one that is sought. It is 0 for
// texts that come after maxWords others.
func (w *worker) words(text string) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(text) && text[i] != '\n'; i++ {
		if !isDigit(text[i]) {
			h = mix(h, uint64(text[i]))
		}
	}
	switch {
	case w.texts[h]:
	case len(w.texts) == maxWords:
		return 0
	default:
		w.texts[h] = true
	}
	return h
}

// panicChain returns the text of a panic as Go prints it: with a line for each panic before it from which a function recovered
// that then raised the next one. The stack has a call of panic for each.
func panicChain(r any, stack string) string {
	text := ""
	for _, v := range lastRecovered(strings.Count(stack, "\npanic(") - 1) {
		text += "panic: " + panicText(v) + " [recovered]\n\t"
	}
	return text + "panic: " + panicText(r) + "\n\n" + stack
}

// passesNil reports whether an argument of the running statement is a nil pointer, function or
// interface. A nil interface for which nil is an ordinary value does not count.
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

// mayBeNil reports whether nil is an ordinary value for an argument of the running statement.
func (w *worker) mayBeNil(arg int) bool {
	for _, i := range w.op.Any {
		if i == arg {
			return true
		}
	}
	return false
}

// panicText returns the value of a panic as Go prints it.
func panicText(r any) (out string) {
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
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr,
		float32, float64, complex64, complex128:
		return fmt.Sprintf("%T(%s)", r, v)
	}
	return fmt.Sprintf("(%T) %p", r, r)
}
