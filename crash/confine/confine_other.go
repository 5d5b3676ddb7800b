//go:build !linux

package confine

import (
	"runtime"
	"syscall"
)

// Untested reports whether nobody has run the confinement on such a processor yet.
const Untested = false

// Unsupported returns why programs cannot be confined on this system.
func Unsupported() string { return "not on " + runtime.GOOS }

func become(rules Rules, command, env []string) error {
	return syscall.Exec(command[0], named(command), env)
}
