//go:build !linux

package main

// askHuge does nothing: this system gives huge pages without being asked, or not at all.
func askHuge([]byte) {}
