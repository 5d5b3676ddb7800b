// Package skipped has functions that are not covered.
package skipped

import (
	"iter"
	"unsafe"
)

func Unsafe(p *int) *int { return (*int)(unsafe.Add(unsafe.Pointer(p), 8)) }

func Large(p *[5000]int) [5000]int { return *p }

func DeferInBody(s iter.Seq[int]) {
	for v := range s {
		defer println(v)
	}
}

func Covered(x int) int { return x + 1 }
