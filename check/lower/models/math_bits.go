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
func Add64(x, y, carry uint64) (sum, carryOut uint64) {
	sum = x + y + carry
	return sum, ((x & y) | ((x | y) &^ sum)) >> 63
}
func Sub64(x, y, borrow uint64) (diff, borrowOut uint64) {
	diff = x - y - borrow
	return diff, ((^x & y) | (^(x ^ y) & diff)) >> 63
}
func Mul64(x, y uint64) (hi, lo uint64) {
	const mask32 = 1<<32 - 1
	x0, x1, y0, y1 := x&mask32, x>>32, y&mask32, y>>32
	w0 := x0 * y0
	t := x1*y0 + w0>>32
	w1, w2 := t&mask32, t>>32
	w1 += x0 * y1
	return x1*y1 + w2 + w1>>32, x * y
}
func Reverse8(x uint8) uint8 {
	x = x>>1&0x55 | x&0x55<<1
	x = x>>2&0x33 | x&0x33<<2
	return x>>4 | x<<4
}
func RotateLeft64(x uint64, k int) uint64 {
	s := uint(k) & 63
	return x<<s | x>>(64-s)
}
func RotateLeft32(x uint32, k int) uint32 {
	s := uint(k) & 31
	return x<<s | x>>(32-s)
}
func RotateLeft8(x uint8, k int) uint8 {
	s := uint(k) & 7
	return x<<s | x>>(8-s)
}
