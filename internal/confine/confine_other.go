//go:build !linux && !windows

package confine

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Untested reports whether the confinement has never been run on this processor.
const Untested = false

// Unsupported returns why programs cannot be confined on this system.
func Unsupported() string { return "not on " + runtime.GOOS }

func become(rules Rules, command, env []string) error {
	return syscall.Exec(command[0], named(command), env)
}

// Watch would make a command say what it is refused.
func Watch(*exec.Cmd) (refused func() []string) { return func() []string { return nil } }
