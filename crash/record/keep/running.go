//go:build go1.21

package keep

import (
	"os"
	"runtime/debug"
	"strings"
	"sync"
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

// maxFirstCrash is the size in bytes up to which the file grows in which processes leave the texts of crashes.
const maxFirstCrash = 1 << 20

// startRunning switches on what earlier processes saw crash, and has the runtime of Go write what ends this one.
func startRunning() {
	text, _ := os.ReadFile(FirstCrash)
	if len(text) < maxFirstCrash {
		watch(FirstCrash)
	}
	var names []string
	for _, line := range strings.Split(string(text), "\n") {
		if i := strings.LastIndexByte(line, '('); i > 0 && line[0] != '\t' {
			names = append(names, originalName(line[:i]))
		}
	}
	switchOn(names)
}

// Leave is the first deferred call of a function that handles requests. If a panic unwinds the function, it switches on
// recording for the functions on the stack. returned points to a variable that is true once the function returns.
func Leave(returned *bool) {
	if !*returned {
		leave()
	}
}

// LeaveLate is Leave in functions whose deferred calls may panic.
//
//go:noinline
func LeaveLate(returned *bool) {
	if !*returned || Panicking() {
		leave()
	}
}

func leave() {
	if !asking() {
		recordStack()
	}
}

// maxSeen is the number of frames that recordStack reads. A deep recursion may call it once per frame, so reading the
// whole stack would take quadratic time.
const maxSeen = 128

// seeing guards the file of FirstCrash. It is not mu, under which values of the program print themselves.
var seeing sync.Mutex

// recordStack switches on recording for the functions on the stack of a panic that a server will recover from. If
// any of them was off, it appends the text of the panic to FirstCrash. It must be called by leave: panicStack
// skips a fixed number of frames.
func recordStack() {
	defer func() { recover() }() // it must not make things worse
	stack := panicStack(maxSeen)
	var names []string
	recovers := false
	for _, f := range stack {
		names = append(names, f.Function)
		recovers = recovers || at[f.Function]
	}
	if !recovers {
		return
	}
	p := &unwinding{stack: stack, text: string(debug.Stack())}
	p.value, p.known = panicValue(p.text)
	if p.aborts() || !switchOn(names) {
		return
	}
	text := p.panicText()
	seeing.Lock()
	defer seeing.Unlock()
	if st, err := os.Stat(FirstCrash); err == nil && st.Size() >= maxFirstCrash {
		return
	}
	if f, err := os.OpenFile(FirstCrash, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
		f.WriteString(text)
		f.Close()
	}
}
