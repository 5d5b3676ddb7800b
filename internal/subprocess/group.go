// Package subprocess starts other programs so that they do not outlive the command that started them.
package subprocess

import (
	"os/exec"
	"time"
)

// KillGroup makes cmd the leader of a process group that is killed when cmd's context ends: otherwise
// what it started, such as the tests of `go test`, would go on. On Linux cmd is also killed when this
// process dies, however that happens. It must be called before cmd starts.
func KillGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = attributes()
	if cmd.Cancel != nil { // cmd has a context
		cmd.Cancel = func() error { return Kill(cmd) }
		cmd.WaitDelay = 2 * time.Second
	}
}
