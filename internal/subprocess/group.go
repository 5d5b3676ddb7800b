// Package subprocess starts other programs so that they do not outlive the command that started them.
package subprocess

import (
	"os/exec"
	"syscall"
	"time"
)

// KillGroup makes cmd the leader of a process group that is killed when cmd's context ends: otherwise
// what it started, such as the tests of `go test`, would go on. On Linux cmd is also killed when this
// process dies, however that happens. It must be called before cmd starts.
func KillGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	if cmd.Cancel != nil { // cmd has a context
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		cmd.WaitDelay = 2 * time.Second
	}
}
