package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestAdviseHugePages checks that the kernel marks the mapping for huge pages.
func TestAdviseHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has no huge pages")
	}
	memory := make([]byte, 8<<20)
	adviseHugePages(memory)
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	middle := uintptr(unsafe.Pointer(&memory[len(memory)/2]))
	inside := false
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= middle && middle < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			if !strings.Contains(flags, " hg") {
				t.Errorf("the memory has the flags%s, want hg", flags)
			}
			return
		}
	}
	t.Error("the memory is not among the mappings of the process")
}
