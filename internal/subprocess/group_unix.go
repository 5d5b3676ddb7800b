//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// Kill kills the process group that a process leads.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// attributes makes a process the leader of a group.
func attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attr)
	return attr
}
