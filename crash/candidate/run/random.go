//go:build go1.21

package run

import "math/bits"

// Random draws numbers.
type Random interface {
	// Intn returns a number in [0, n).
	Intn(n int) int
	Uint64() uint64
}

// random is a small and fast generator, splitmix64.
type random uint64

func (r *random) Uint64() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Intn multiplies, which is faster than dividing.
func (r *random) Intn(n int) int {
	high, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(high)
}

// MutateInt returns an integer near another one or, one time in eight, a random one.
func MutateInt(r Random, bits uint64) uint64 {
	if r.Intn(8) > 0 {
		return bits + uint64(r.Intn(17)-8)
	}
	bits = r.Uint64() >> r.Intn(64)
	if r.Intn(4) == 0 {
		bits = -bits
	}
	return bits
}

// mutateFloat returns a float near another one.
func mutateFloat(r Random, x float64) float64 {
	switch r.Intn(5) {
	case 0:
		return x + 1
	case 1:
		return x - 1
	case 2:
		return -x
	case 3:
		return x * 2
	}
	return x / 2
}
