package main

import (
	"runtime/debug"
	"testing"
)

// TestArrange: memory of any size is asked for, and what the environment says stands.
func TestArrange(t *testing.T) {
	percent := debug.SetGCPercent(100)
	limit := debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	for _, huge := range []int{0, 1, 2<<20 - 1, 2 << 20, 5 << 20} {
		arrange(huge, 70, 1<<20, 1<<30)()
		if got := debug.SetGCPercent(100); got != 70 {
			t.Errorf("%d: collected at %d%%", huge, got)
		}
		if got := debug.SetMemoryLimit(limit); got != 1<<30 {
			t.Errorf("%d: limited to %d", huge, got)
		}
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "100")
			arrange(2<<20, 70, 1<<20, 1<<30)()
			if got := debug.SetGCPercent(100); got != 100 {
				t.Errorf("collected at %d%%", got)
			}
		})
	}
}
