package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestPace: the limit leaves the least memory above what stays, as much as what stays where that is more, and of
// --max-memory a third.
func TestPace(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	// above returns how far the limit is above what stays.
	above := func(stays int, most int64) int64 {
		kept := make([]byte, stays)
		defer runtime.KeepAlive(kept)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		pace(most)
		return debug.SetMemoryLimit(-1) - int64(m.Sys-m.HeapSys) - int64(m.HeapAlloc)
	}
	const tolerance = 16 << 20
	for _, tt := range []struct {
		name  string
		stays int
		most  int64
		want  int64
	}{
		{"a small module", 1 << 20, 0, freshMemory},
		{"a large one", 300 << 20, 0, 300 << 20},
		{"bounded", 300 << 20, 360 << 20, 20 << 20},
		{"bounded tightly", 300 << 20, 200 << 20, freshMemory / 16},
	} {
		if got := above(tt.stays, tt.most); math.Abs(float64(got-tt.want)) > tolerance {
			t.Errorf("%s: the limit leaves %d MiB, want %d", tt.name, got>>20, tt.want>>20)
		}
	}
}

// TestAfterCollection: it is called after each collection, not only the first.
func TestAfterCollection(t *testing.T) {
	calls := make(chan bool, 100)
	afterCollection(func() { calls <- true })
	for range 3 {
		runtime.GC()
		<-calls
	}
}
