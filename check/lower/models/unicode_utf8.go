//go:build ignore

package utf8

import "dsd"

func DecodeRuneInString(s string) (rune, int) {
	for i, r := range s {
		_ = i
		n := 1
		if r != 0xfffd || len(s) >= 3 && s[0] == 0xef && s[1] == 0xbf && s[2] == 0xbd {
			n = RuneLen(r)
		}
		dsd.Assume(1 <= n && n <= 4 && n <= len(s)) // which follows, and helps the solver
		return r, n
	}
	return 0xfffd, 0
}
func DecodeRune(p []byte) (rune, int) { return DecodeRuneInString(string(p)) }
func DecodeLastRuneInString(s string) (rune, int) {
	if len(s) == 0 {
		return 0xfffd, 0
	}
	if c := s[len(s)-1]; c < 0x80 {
		return rune(c), 1
	}
	r, n := dsd.Any[rune](), dsd.Any[int]()
	dsd.Assume(0x80 <= r && r <= 0x10ffff && 1 <= n && n <= 4 && n <= len(s))
	return r, n
}
func DecodeLastRune(p []byte) (rune, int) { return DecodeLastRuneInString(string(p)) }
func RuneLen(r rune) int {
	switch {
	case r < 0:
		return -1
	case r < 0x80:
		return 1
	case r < 0x800:
		return 2
	case 0xd800 <= r && r <= 0xdfff:
		return -1
	case r < 0x10000:
		return 3
	case r <= 0x10ffff:
		return 4
	}
	return -1
}
func ValidRune(r rune) bool { return 0 <= r && r < 0xd800 || 0xdfff < r && r <= 0x10ffff }
func RuneStart(b byte) bool { return b&0xc0 != 0x80 }

// counted returns the number of runes in n bytes: any number in [1, n], or 0 for no bytes.
func counted(n int) int {
	c := dsd.Any[int]()
	dsd.Assume(0 <= c && c <= n && (c == 0) == (n == 0))
	return c
}
func RuneCountInString(s string) int { return counted(len(s)) }
func RuneCount(p []byte) int         { return counted(len(p)) }
func ValidString(s string) bool {
	if len(s) == 0 || len(s) == 1 && s[0] < 0x80 {
		return true
	}
	return dsd.Any[bool]()
}
func Valid(p []byte) bool { return ValidString(string(p)) }
func EncodeRune(p []byte, r rune) int {
	n := RuneLen(r)
	if n < 0 {
		n = 3
	}
	_ = p[n-1]
	for i := range n {
		p[i] = dsd.Any[byte]()
	}
	return n
}
func AppendRune(p []byte, r rune) []byte { return append(p, string(r)...) }
func FullRune(p []byte) bool {
	if len(p) == 0 {
		return false
	}
	return p[0] < 0x80 || dsd.Any[bool]()
}
