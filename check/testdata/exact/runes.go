package exact

// Conversions between strings and runes.

func NeverRunes() {
	r := []rune("h\u00e9\u20ac\U0001f600\xff")
	must(len(r) == 5 && r[1] == 0xe9 && r[2] == 0x20ac && r[3] == 0x1f600 && r[4] == 0xfffd)
	must(string(r[:4]) == "h\u00e9\u20ac\U0001f600" && len(string(r)) == 1+2+3+4+3)
}

func NeverRuneStrings(n int) {
	must(string(rune(0xe9)) == "\u00e9" && string(rune(-1)) == "\ufffd")
	must(string(rune(0xd800)) == "\ufffd" && string(rune(0x10ffff)) == "\U0010ffff")
	s := string(rune(n))
	must(len(s) >= 1 && len(s) <= 4)
	if n >= 0 && n < 0x800 && n >= 0x80 {
		must(len(s) == 2 && s[0]&0xe0 == 0xc0)
	}
}

func NeverThereAndBack(s string) {
	if len(s) == 2 {
		r := []rune(s)
		if len(r) == 1 {
			must(string(r) == s && r[0] >= 0x80 && r[0] < 0x800)
		}
	}
}

func CanRuneCount(s string) {
	if len(s) == 6 && len([]rune(s)) == 5 {
		panic("one of two bytes")
	}
}

func CanRuneString(n int) {
	if len(string(rune(n))) == 3 {
		panic("a rune of three bytes")
	}
}

func CanRuneSlice() {
	must(len(string([]rune{0x20ac, 'a'})) == 2)
}
