// Package attacks tries to do harm. Each exported function is one attempt; it panics if it got through. Nothing
// gets lost if one does: signals are number 0, limits and times stay what they are.
package attacks

import (
	"errors"
	"syscall"
	"unsafe"
)

// through reports whether an attempt succeeds.
func through(try func() error) bool { return show || try() == nil }

// errRefused is the error of an attempt that failed without one.
var errRefused = errors.New("refused")

// Control needs nothing that is refused: it must panic, or nothing was tried.
func Control() {
	if through(func() error { return nil }) {
		panic("got through")
	}
}

// call makes a system call.
func call(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := syscall.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// text returns a string for a system call.
func text(s string) uintptr {
	p, _ := syscall.BytePtrFromString(s)
	kept = append(kept, p)
	return uintptr(unsafe.Pointer(p))
}

// words returns memory for a system call.
func words() uintptr {
	p := new([64]uint64)
	kept = append(kept, p)
	return uintptr(unsafe.Pointer(p))
}

// kept is what system calls refer to.
var kept []any

// here is AT_FDCWD: names are relative to the working directory.
const here = ^uintptr(99)
