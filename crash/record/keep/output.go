//go:build go1.23

package keep

import (
	"os"
	"runtime/debug"
	"sync"
)

var watched sync.Once

// outcome lets the runtime write into a file what ends the program, so that whoever ran it knows which of the panics did.
func outcome(name string) {
	if os.Getenv(Variable) != "" { // otherwise the program's own setting stays
		watched.Do(func() { watch(name) })
	}
}

// watch lets the runtime write into a file what ends the program: nothing else is kept until a crash has been seen [REC 2.3.2].
func watch(name string) {
	if f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
		debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}
