package main

import (
	"runtime/debug"
	"testing"
)

// TestTuneHeap checks that any size of memory works, and that the environment wins.
func TestTuneHeap(t *testing.T) {
	percent := debug.SetGCPercent(100)
	limit := debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	for _, huge := range []int{0, 1, 2<<20 - 1, 2 << 20, 5 << 20} {
		tuneHeap(huge, 70, 1<<20, 1<<30)()
		if got := debug.SetGCPercent(100); got != 70 {
			t.Errorf("tuneHeap(%d, ...): GC percent %d, want 70", huge, got)
		}
		if got := debug.SetMemoryLimit(limit); got != 1<<30 {
			t.Errorf("tuneHeap(%d, ...): memory limit %d, want %d", huge, got, 1<<30)
		}
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "100")
			tuneHeap(2<<20, 70, 1<<20, 1<<30)()
			if got := debug.SetGCPercent(100); got != 100 {
				t.Errorf("GC percent %d, want 100", got)
			}
		})
	}
}
