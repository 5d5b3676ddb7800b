//go:build !linux

package confine

import (
	"runtime"
	"syscall"
)

// Unsupported says what the system lacks to confine programs.
func Unsupported() string { return "not on " + runtime.GOOS }

func become(rules Rules, command, env []string) error {
	return syscall.Exec(command[0], command, env)
}
