// Package stack reads the text of Go panics.
//
// In: what a crashed test printed. Out: a Panic: its kind, its message and the frames of the goroutine that panicked,
// crash first.
package stack
