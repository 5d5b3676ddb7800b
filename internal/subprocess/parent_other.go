//go:build unix && !linux

package subprocess

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
