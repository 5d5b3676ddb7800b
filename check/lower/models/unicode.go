//go:build ignore

package unicode

import "dsd"

// big returns false for ASCII characters, and either value for others.
func big(r rune) bool { return r >= 0x80 && dsd.Any[bool]() }

func IsLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || big(r) }
func IsDigit(r rune) bool  { return '0' <= r && r <= '9' || big(r) }
func IsNumber(r rune) bool { return '0' <= r && r <= '9' || big(r) }
func IsSpace(r rune) bool {
	return r == ' ' || '\t' <= r && r <= '\r' || r == 0x85 || r == 0xa0 || r > 0xff && dsd.Any[bool]()
}
func IsUpper(r rune) bool   { return 'A' <= r && r <= 'Z' || big(r) }
func IsLower(r rune) bool   { return 'a' <= r && r <= 'z' || big(r) }
func IsControl(r rune) bool { return 0 <= r && r < 0x20 || 0x7f <= r && r < 0xa0 }
func IsPrint(r rune) bool   { return 0x20 <= r && r < 0x7f || big(r) }
func IsGraphic(r rune) bool { return IsPrint(r) }
func IsPunct(r rune) bool {
	if r < 0x80 {
		return '!' <= r && r <= '/' && r != '$' && r != '+' ||
			r == ':' || r == ';' || r == '?' || r == '@' ||
			'[' <= r && r <= ']' || r == '_' || r == '{' || r == '}'
	}
	return dsd.Any[bool]()
}

// other returns any rune, which is not negative if r is an ASCII character.
func other(r rune) rune {
	o := dsd.Any[rune]()
	dsd.Assume(0x80 > r || o >= 0)
	return o
}
func ToLower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	if 0 <= r && r < 0x80 {
		return r
	}
	return other(r)
}
func ToUpper(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r + 'A' - 'a'
	}
	if 0 <= r && r < 0x80 {
		return r
	}
	return other(r)
}
