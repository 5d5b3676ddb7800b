//go:build go1.23

package keep

import (
	"os"
	"runtime/debug"
	"sync"
)

// watchOnce sets the file for the first call of watchEnd.
var watchOnce sync.Once

// watchEnd makes the runtime of Go write into a file what ends the program. Package record reads
// from it which of the recorded panics did. A program that was only built keeps its own setting.
func watchEnd(name string) {
	if os.Getenv(Variable) != "" {
		watchOnce.Do(func() { watch(name) })
	}
}

// watch makes the runtime of Go write into a file what ends the program. It is all that the first
// run of the second-chance mode does [REC 2.3.2].
func watch(name string) {
	if f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
		debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}
