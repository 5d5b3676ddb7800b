package main

import (
	"syscall"
	"unsafe"
)

// askHuge asks for huge pages for memory that has not been touched. Where the kernel has none, it stays as it is.
func askHuge(memory []byte) {
	const huge = 2 << 20
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	from := int(-at & (huge - 1))
	if rest := len(memory) - from; rest >= huge {
		syscall.Madvise(memory[from:from+rest/huge*huge], syscall.MADV_HUGEPAGE)
	}
}
