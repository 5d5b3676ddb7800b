package main

import (
	"syscall"
	"unsafe"
)

// askHuge asks for huge pages for memory that has not been touched. Where the kernel has none, it stays as it is.
func askHuge(memory []byte) {
	const huge = 2 << 20
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	from := -at & (huge - 1)
	to := (at+uintptr(len(memory)))&^(huge-1) - at
	if from < to {
		syscall.Madvise(memory[from:to], syscall.MADV_HUGEPAGE)
	}
}
