//go:build ignore

package utf16

const (
	surr1    = 0xd800
	surr2    = 0xdc00
	surr3    = 0xe000
	surrSelf = 0x10000
	replaced = '\uFFFD'
)

func IsSurrogate(r rune) bool { return surr1 <= r && r < surr3 }
func DecodeRune(r1, r2 rune) rune {
	if surr1 <= r1 && r1 < surr2 && surr2 <= r2 && r2 < surr3 {
		return (r1-surr1)<<10 | (r2 - surr2) + surrSelf
	}
	return replaced
}
func EncodeRune(r rune) (r1, r2 rune) {
	if r < surrSelf || r > 0x10FFFF {
		return replaced, replaced
	}
	r -= surrSelf
	return surr1 + (r>>10)&0x3ff, surr2 + r&0x3ff
}
