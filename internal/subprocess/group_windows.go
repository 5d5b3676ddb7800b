package subprocess

import (
	"os/exec"
	"syscall"
)

// Kill kills a process. What it started goes on.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func attributes() *syscall.SysProcAttr { return nil }
