package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// arrange arranges the heap for learning, unless GOGC or GOMEMLIMIT in the environment do. Sizes are in bytes.
//
// The heap's first part, of the size huge, is asked to be of huge pages: on a virtual machine the first use of a page costs microseconds, and of small
// pages a hundred thousand samples use two thousand, a large module tens of thousands. What is not used takes no memory, but counts for limit.
//
// Garbage is collected whenever the heap has grown by percent, ballast included, and memory is kept to limit bytes if it can be. The ballast is never
// touched, so it takes no memory; but it lets that much more be allocated before memory is looked through at all. It is there until done is called.
func arrange(huge, percent, ballast int, limit int64) (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	debug.SetGCPercent(-1)
	first := make([]byte, huge)
	askHuge(first)
	untouched := make([]byte, ballast) // elsewhere
	runtime.KeepAlive(first)
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
	runtime.GC() // which frees first for everything else
	return func() { runtime.KeepAlive(untouched) }
}
