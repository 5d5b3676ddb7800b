//go:build go1.23

package keep

import (
	"os"
	"runtime/debug"
)

// outcome lets the runtime write what ends the program beside the recording, so that whoever ran it knows which of the panics that did.
func outcome(name string) {
	if os.Getenv(Variable) == "" || name == "" { // the program's own setting stays
		return
	}
	if f, err := os.Create(name + OutcomeSuffix); err == nil {
		debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}

// watch lets the runtime write into a file what ends the program: nothing else is kept until a crash has been seen [REC 2.3.2].
func watch(name string) {
	if f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
		debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}
