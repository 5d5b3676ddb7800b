package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// largely is how much of the heap is asked to be of huge pages: what a trace of a few functions takes.
const largely = 16 << 20

// arrange arranges the heap for learning, unless the environment does: garbage is collected whenever it grows by percent, ballast included, and memory
// is kept to limit bytes if it can be. The ballast is never touched, so it takes no memory; but it lets that much more be allocated before memory is looked
// through at all. It is there until done is called.
//
// On a virtual machine the first use of a page costs microseconds, and of small pages a hundred thousand samples use two thousand.
func arrange(percent, ballast int, limit int64) (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	debug.SetGCPercent(-1)
	huge := make([]byte, largely)
	askHuge(huge)
	untouched := make([]byte, ballast) // elsewhere
	runtime.KeepAlive(huge)
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
	runtime.GC() // which makes what was huge free for everything else
	return func() { runtime.KeepAlive(untouched) }
}
