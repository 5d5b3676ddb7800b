// Package stack reads the text of Go panics.
//
// In: what a crashed test printed (Parse), or a text as people find it, with what logs, pages and mails put around it (Read). Out: a
// Panic: its kind, its message with the values in it, and the frames of the goroutine that panicked, crash first, with the words
// of their arguments.
package stack
