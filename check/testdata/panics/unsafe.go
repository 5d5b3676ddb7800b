package panics

import "unsafe"

func UnsafeLength(p *int, n int) []int {
	return unsafe.Slice(p, n) // want slice-bounds
}

func UnsafeString(p *byte, n int) string {
	if p == nil {
		return ""
	}
	return unsafe.String(p, n) // want slice-bounds
}

func UnsafeNilString(n int) string {
	return unsafe.String(nil, n) // want slice-bounds
}

func UnsafeNothing() []int { return unsafe.Slice((*int)(nil), 0) }

func UnsafeGuarded(p *int, n int) []int {
	if p == nil || n < 0 || n > 10 {
		return nil
	}
	return unsafe.Slice(p, n)
}
