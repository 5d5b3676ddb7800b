package main

import (
	"syscall"
	"unsafe"
)

// adviseHugePages asks the kernel to back memory that has not been touched with huge pages. Without
// effect where the kernel has none.
func adviseHugePages(memory []byte) {
	const huge = 2 << 20
	at := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	from := int(-at & (huge - 1))
	if rest := len(memory) - from; rest >= huge {
		syscall.Madvise(memory[from:from+rest/huge*huge], syscall.MADV_HUGEPAGE)
	}
}
