package subprocess

import "syscall"

// dieWithParent has the kernel kill a process when the thread that starts it ends. Threads of a Go
// program end with the program, unless a goroutine that is locked to one ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
