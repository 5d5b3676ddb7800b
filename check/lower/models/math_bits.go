//go:build ignore

package bits

import "dsd"

// upTo returns any number in [0, n].
func upTo(n int) int {
	r := dsd.Any[int]()
	dsd.Assume(0 <= r && r <= n)
	return r
}
func Len(x uint) int { return Len64(uint64(x)) }
func Len64(x uint64) int {
	n := upTo(64)
	dsd.Assume((x == 0) == (n == 0))
	dsd.Assume(n == 0 || x>>(n-1) == 1)
	return n
}
func Len32(x uint32) int          { return Len64(uint64(x)) }
func Len16(x uint16) int          { return Len64(uint64(x)) }
func Len8(x uint8) int            { return Len64(uint64(x)) }
func LeadingZeros64(x uint64) int { return 64 - Len64(x) }
func LeadingZeros32(x uint32) int { return 32 - Len32(x) }
func LeadingZeros(x uint) int     { return 64 - Len(x) }
func TrailingZeros64(x uint64) int {
	n := upTo(64)
	dsd.Assume((x == 0) == (n == 64))
	dsd.Assume(n == 64 || x&(1<<n) != 0 && x&(1<<n-1) == 0)
	return n
}
func TrailingZeros32(x uint32) int {
	if x == 0 {
		return 32
	}
	return TrailingZeros64(uint64(x))
}
func TrailingZeros(x uint) int { return TrailingZeros64(uint64(x)) }
func OnesCount64(x uint64) int {
	n := upTo(64)
	dsd.Assume((x == 0) == (n == 0))
	return n
}
func OnesCount(x uint) int     { return OnesCount64(uint64(x)) }
func OnesCount32(x uint32) int { return OnesCount64(uint64(x)) }
