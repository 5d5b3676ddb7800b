// Package scratch makes the temporary folders of the commands.
package scratch

import (
	"os"
	"time"
)

// Prefix is that of the names of the folders.
const Prefix = "dsd-"

// pauses are the times after which a folder is removed again that could not be.
var pauses = []time.Duration{10 * time.Millisecond, 100 * time.Millisecond}

// New makes an empty folder.
func New() (string, error) { return os.MkdirTemp("", Prefix) }

// Remove removes a folder and all that is in it. If it cannot be, Remove tries again a little later: a system that
// has no open file to spare, by which to list a folder, or a network's disk may refuse it only now. The error is that
// of the last time.
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
