//go:build go1.21

package keep

import (
	"bytes"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
)

// A program that is built to run for long is given its second chance while it runs [REC 2.3.2]: each recorded function
// has a switch, which is off, so that a call costs reading it. A panic that leaves a function through which
// requests come in, and that the server recovers from, switches on the functions on its stack; so does, when the
// program starts, the text of a crash that an earlier process left.

// switches are those of the functions, nil if all are always recorded.
var switches []atomic.Bool

// Running sets the switches, by number of the function.
func Running(list []atomic.Bool) { switches = list }

// isOn reports whether calls of a function are recorded.
func isOn(number int) bool { return switches == nil || switches[number].Load() }

// switchOn switches on the functions with these names, as stacks have them, and reports whether any was off.
func switchOn(names []string) (changed bool) {
	for _, name := range names {
		if k, ok := symbols[symbolOf(name)]; ok && switches[k].CompareAndSwap(false, true) {
			changed = true
		}
	}
	return changed
}

// startRunning switches on what an earlier process saw crash. Without that, the runtime of Go writes what ends this
// process into the file.
func startRunning() {
	text, err := os.ReadFile(FirstCrash)
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		watch(FirstCrash)
		return
	}
	var names []string
	for _, line := range strings.Split(string(text), "\n") {
		if i := strings.LastIndexByte(line, '('); i > 0 && line[0] != '\t' {
			names = append(names, originalName(line[:i]))
		}
	}
	switchOn(names)
}

// Leave looks whether a panic leaves a function through which requests come in. It is deferred there, first, with
// a variable that is true where the function returns.
func Leave(returned *bool) {
	if !*returned {
		leave()
	}
}

func leave() { see() }

// see switches on the functions on the stack of a panic, and keeps its text if it is the first one. panicStack looks
// for the panic from the caller of Leave.
func see() {
	defer func() { recover() }() // it must not make things worse
	stack := panicStack()
	if stack == nil {
		return
	}
	p := &unwinding{stack: stack, text: string(debug.Stack())}
	p.value, p.known = panicValue(p.text)
	if p.aborts() {
		return
	}
	var names []string
	for _, f := range stack {
		names = append(names, f.Function)
	}
	mu.Lock()
	defer mu.Unlock()
	if !switchOn(names) {
		return
	}
	if st, err := os.Stat(FirstCrash); err == nil && st.Size() > 0 {
		return
	}
	if f, err := os.OpenFile(FirstCrash, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
		f.WriteString(p.panicText())
		f.Close()
	}
}
