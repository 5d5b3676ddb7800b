package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// freshMemory is the least memory in bytes that analyses may fill before their garbage is collected. Each makes
// and drops terms next to a heap that stays, the lowered functions; with Go's defaults, a fifth of the time
// goes into looking at that again and again.
const freshMemory = 160 << 20

// paceCollector lets the collector wait until freshMemory is filled, or as much as what stays, unless the
// environment says what it is to do. What stays grows, so after each collection that is decided anew. Of most, if
// not 0, it leaves two thirds to the solver and to what else is no part of the heap.
func paceCollector(most int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	runtime.GC()
	debug.SetGCPercent(400)
	pace(most)
	if !paced {
		paced = true
		afterCollection(func() { pace(most) })
	}
}

// paced reports whether the pace is decided anew after each collection.
var paced bool

// pace sets when the heap is collected next, by what the last collection left.
func pace(most int64) {
	size := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(size)
	stays, other := int64(size[0].Value.Uint64()), int64(size[1].Value.Uint64())
	for _, heap := range size[2:] {
		other -= int64(heap.Value.Uint64())
	}
	fresh := max(freshMemory, stays)
	if most > 0 {
		fresh = max(freshMemory/16, min(fresh, (most-stays)/3))
	}
	debug.SetMemoryLimit(other + stays + fresh)
}

// afterCollection calls f after each collection from now on.
func afterCollection(f func()) {
	var again func(*[16]byte)
	again = func(x *[16]byte) {
		f()
		runtime.SetFinalizer(x, again)
	}
	runtime.SetFinalizer(new([16]byte), again)
}
