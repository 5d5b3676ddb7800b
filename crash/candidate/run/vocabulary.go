//go:build go1.21

package run

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Vocabulary holds what strings and numbers are mutated with, by the search that draws candidates
// and by the climb around them.
type Vocabulary struct {
	// Texts are the string constants of the source, and Words their words, each as often as it
	// occurs.
	Texts, Words []string
	// Numbers are integer constants, as bits.
	Numbers []uint64
}

const (
	// maxPhrase is the largest number of words that are taken from another constant.
	maxPhrase = 5
	// maxWindow is the number of bytes of another constant that the words are looked for in. It
	// is also the length, in bytes, of the longest string that is mutated otherwise than by
	// cutting it off.
	maxWindow = 200
)

// Mutate returns a string that differs a little from t.
func (v *Vocabulary) Mutate(r Random, t string) string {
	if len(t) > maxWindow {
		return t[:r.Intn(len(t))]
	}
	if r.Intn(2) == 0 {
		return v.mutateWord(r, t)
	}
	at := r.Intn(len(t) + 1)
	switch r.Intn(10) {
	case 9:
		return closeBracket(r, t)
	case 8:
		return insertLength(r, t)
	case 6:
		return mutateNumber(r, t)
	case 7: // the end of another string
		other := v.any(r)
		return t[:at] + other[r.Intn(len(other)+1):]
	case 0:
		return t[:at]
	case 1:
		return t[at:]
	case 2:
		return t[:at] + v.any(r) + t[at:]
	case 3:
		return t[:at] + string(rune(r.Intn(128))) + t[at:]
	case 4:
		if at < len(t) {
			return t[:at] + t[at+1:]
		}
		return t + t
	}
	b := []byte(t)
	if at < len(b) {
		b[at] ^= 1 << r.Intn(8)
	}
	return string(b)
}

// any returns one of the texts, or "".
func (v *Vocabulary) any(r Random) string {
	if len(v.Texts) == 0 {
		return ""
	}
	return v.Texts[r.Intn(len(v.Texts))]
}

// mutateWord mutates a string by whole words: a word is replaced by one of the vocabulary, dropped,
// doubled or moved, or some words are replaced by a phrase of another text.
func (v *Vocabulary) mutateWord(r Random, t string) string {
	var b bounds
	b.split(t)
	all := v.Words
	if b.n == 0 || len(all) == 0 {
		return t
	}
	other := all[r.Intn(len(all))]
	if r.Intn(8) == 0 { // a digit, which every language has
		other = strconv.Itoa(r.Intn(10))
	}
	i, j := r.Intn(b.n), r.Intn(b.n)
	from, to := int(b.at[i]), int(b.at[i+1])
	switch r.Intn(9) {
	case 7, 8:
		return t[:from] + phrase(r, v.any(r)) + t[b.at[min(i+r.Intn(maxPhrase), b.n)]:]
	case 6: // one word for what is in brackets, with or without these
		if open, end := group(t, from); end > open {
			if k := r.Intn(2); end-k > open+k {
				open, end = open+k, end-k
			}
			return t[:open] + other + t[end:]
		}
		return t[:from] + other + t[to:]
	case 2:
		return t[:from] + t[to:]
	case 3:
		return t[:to] + t[b.at[j]:b.at[j+1]] + t[to:]
	case 4:
		return t[:to] + other + t[to:]
	case 5: // drop the words between two
		return t[:b.at[min(i, j)]] + t[b.at[max(i, j)]:]
	}
	return t[:from] + other + t[to:]
}

// phrase returns a few successive words of a text.
func phrase(r Random, t string) string {
	if len(t) > maxWindow {
		from := r.Intn(len(t) - maxWindow)
		t = t[from : from+maxWindow]
	}
	var b bounds
	b.split(t)
	if b.n == 0 {
		return ""
	}
	from := r.Intn(b.n)
	return t[b.at[from]:b.at[min(from+1+r.Intn(maxPhrase), b.n)]]
}

// group returns the bounds of the first bracketed group that opens at or after i, brackets
// included; i and i if there is none.
func group(t string, i int) (from, to int) {
	if from = strings.IndexAny(t[i:], "([{<"); from < 0 {
		return i, i
	}
	from += i
	depth := 0
	for j := from; j < len(t); j++ {
		switch t[j] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if depth--; depth == 0 {
				return from, j + 1
			}
		}
	}
	return i, i
}

// closeBracket inserts the closing bracket or quote for an opening one, somewhere after it.
func closeBracket(r Random, t string) string {
	const open, shut = "([{<\"'", ")]}>\"'"
	var starts []int
	for i := 0; i < len(t); i++ {
		if strings.IndexByte(open, t[i]) >= 0 {
			starts = append(starts, i)
		}
	}
	if len(starts) == 0 {
		return t
	}
	from := starts[r.Intn(len(starts))]
	at := from + 1 + r.Intn(len(t)-from)
	if r.Intn(2) == 0 { // at the end of the line
		if i := strings.IndexByte(t[from:], '\n'); i >= 0 {
			at = from + i
		} else {
			at = len(t)
		}
	}
	return t[:at] + string(shut[strings.IndexByte(open, t[from])]) + t[at:]
}

// insertLength inserts the length of a string, or of a suffix of it, in front of it, as binary
// formats do.
func insertLength(r Random, t string) string {
	at := 0
	if r.Intn(2) == 0 {
		at = r.Intn(len(t) + 1)
	}
	n := uint64(len(t) - at)
	var b []byte
	switch r.Intn(5) {
	case 0:
		b = []byte{byte(n)}
	case 1:
		b = binary.BigEndian.AppendUint16(nil, uint16(n))
	case 2:
		b = binary.LittleEndian.AppendUint16(nil, uint16(n))
	case 3:
		b = binary.LittleEndian.AppendUint32(nil, uint32(n))
	default:
		b = binary.BigEndian.AppendUint32(nil, uint32(n))
	}
	return t[:at] + string(b) + t[at:]
}

// mutateNumber replaces a decimal number in a string, or appends one if there is none.
func mutateNumber(r Random, t string) string {
	var starts []int
	digit := func(i int) bool { return i >= 0 && i < len(t) && '0' <= t[i] && t[i] <= '9' }
	for i := 0; i < len(t); i++ {
		if digit(i) && !digit(i-1) {
			starts = append(starts, i)
		}
	}
	if len(starts) == 0 {
		return t + strconv.Itoa(r.Intn(20))
	}
	from := starts[r.Intn(len(starts))]
	to := from
	for digit(to) {
		to++
	}
	return t[:from] + strconv.Itoa(r.Intn([]int{10, 40, 1000}[r.Intn(3)])) + t[to:]
}

// SplitWords splits a string into its words and the single bytes between them.
func SplitWords(t string) []string {
	var out []string
	for i := 0; i < len(t); {
		j := wordEnd(t, i)
		out = append(out, t[i:j])
		i = j
	}
	return out
}

// bounds holds where the words of a string of up to maxWindow bytes begin. It is SplitWords without
// allocation.
type bounds struct {
	at [maxWindow + 1]uint8 // at[n] is the length of the string
	n  int
}

// split finds the words of a string.
func (b *bounds) split(t string) {
	b.n = 0
	for i := 0; i < len(t); b.n++ {
		b.at[b.n] = uint8(i)
		i = wordEnd(t, i)
	}
	b.at[b.n] = uint8(len(t))
}

// wordEnd returns the end of the word that begins at i, or i+1 if none does.
func wordEnd(t string, i int) int {
	j := i
	for j < len(t) && inWord[t[j]] {
		j++
	}
	return max(j, i+1)
}

// inWord reports for each byte whether it belongs to a word: letters, digits, _ and all bytes of
// multi-byte runes.
var inWord = func() (in [256]bool) {
	for c := range in {
		in[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			c == '_' || c >= 0x80
	}
	return in
}()
