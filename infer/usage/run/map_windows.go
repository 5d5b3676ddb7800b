//go:build go1.21

package use

import (
	"os"
	"syscall"
	"unsafe"
)

// mapFile maps the first n bytes of a file into memory, shared with all that map it.
func mapFile(f *os.File, n int) ([]byte, error) {
	h, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READWRITE,
		uint32(uint64(n)>>32), uint32(n), nil)
	if err != nil {
		return nil, err
	}
	defer syscall.CloseHandle(h) // the view keeps the mapping
	at, err := syscall.MapViewOfFile(h, syscall.FILE_MAP_WRITE, 0, 0, uintptr(n))
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), n), nil
}
