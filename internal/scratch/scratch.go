// Package scratch makes the temporary folders of the commands.
package scratch

import (
	"os"
	"time"
)

// Prefix is that of the names of the folders.
const Prefix = "dsd-"

// pauses are how long Remove waits before its second and third attempts.
var pauses = []time.Duration{10 * time.Millisecond, 100 * time.Millisecond}

// New makes an empty folder.
func New() (string, error) { return os.MkdirTemp("", Prefix) }

// Remove removes a folder with its contents. It tries three times within about 0.1 s, because listing a folder fails
// while the system is short of file descriptors. It returns the error of the last attempt.
func Remove(dir string) error {
	err := os.RemoveAll(dir)
	for _, pause := range pauses {
		if err == nil {
			break
		}
		time.Sleep(pause)
		err = os.RemoveAll(dir)
	}
	return err
}
