// Package skipped has a function that is not covered, and some that were not.
package skipped

import "unsafe"

func Huge(p *[1 << 42]byte) byte { q := *p; return q[0] }

func Unsafe(p *int) *int { return (*int)(unsafe.Add(unsafe.Pointer(p), 8)) }

func Large(p *[5000]int) [5000]int { return *p }
