package candidate

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"unsafe"

	"dsd/crash/candidate/run"
)

// memfdCreate is the number of the system call, by processor; package syscall lacks it.
var memfdCreate = map[string]uintptr{"linux/amd64": 319, "linux/arm64": 279}

// sharedFile returns the file of run.SharedSize bytes that a process and this one map. Where the system can, its size is
// sealed: a process that could cut it off would end this one, which reads the memory. Otherwise it lies below dir.
func sharedFile(dir string) (*os.File, error) {
	const (
		closeOnExec  = 1         // MFD_CLOEXEC
		allowSealing = 2         // MFD_ALLOW_SEALING
		addSeals     = 1033      // F_ADD_SEALS
		fixedSize    = 1 | 2 | 4 // F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW
	)
	if call := memfdCreate[runtime.GOOS+"/"+runtime.GOARCH]; call != 0 {
		name := []byte("progress\x00")
		fd, _, errno := syscall.Syscall(call, uintptr(unsafe.Pointer(&name[0])), closeOnExec|allowSealing, 0)
		if errno == 0 {
			f := os.NewFile(fd, "progress")
			if err := f.Truncate(run.SharedSize); err != nil {
				f.Close()
				return nil, err
			}
			if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, addSeals, fixedSize); errno != 0 {
				f.Close()
				return nil, os.NewSyscallError("fcntl", errno)
			}
			return f, nil
		}
	}
	f, err := os.Create(filepath.Join(dir, ".progress"))
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(run.SharedSize); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
