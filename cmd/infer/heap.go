package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// tuneHeap tunes the heap for learning, unless the environment sets GOGC or GOMEMLIMIT. Sizes are
// in bytes.
//
// The first hugePages bytes of the heap are requested as huge pages. On a virtual machine the first
// use of a page costs microseconds; with small pages, a hundred thousand samples use two thousand
// pages, and a large module tens of thousands. Memory that is not used is not taken from the
// system, but it counts towards limit.
//
// Garbage is collected whenever the heap, including ballast, has grown by percent. The collector
// tries to keep memory within limit. The ballast is never touched, so it takes no memory, but it
// delays the first collection by its size. It lives until done is called.
func tuneHeap(hugePages, percent, ballast int, limit int64) (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	debug.SetGCPercent(-1)
	first := make([]byte, hugePages)
	adviseHugePages(first)
	untouched := make([]byte, ballast) // allocated while first is alive, so outside of it
	runtime.KeepAlive(first)
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
	runtime.GC() // frees first, so that everything else is allocated in its pages
	return func() { runtime.KeepAlive(untouched) }
}
