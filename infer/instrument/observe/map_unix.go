//go:build go1.21 && !windows

package observe

import (
	"os"
	"syscall"
)

// mapFile maps the first n bytes of a file into memory, shared with all that map it.
func mapFile(f *os.File, n int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}
