//go:build !linux

package main

// adviseHugePages does nothing: other systems use huge pages on their own, or not at all.
func adviseHugePages([]byte) {}
