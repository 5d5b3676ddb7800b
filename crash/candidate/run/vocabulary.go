//go:build go1.21

package run

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// Vocabulary holds what strings and numbers are mutated with, by the search that draws candidates
// and by the climb around them.
type Vocabulary struct {
	// Texts are the string constants of the source, and Words their words, each as often as it
	// occurs.
	Texts, Words []string
	// Learned are texts that were found during the search, in inputs that come close to the goal. They are also in Texts,
	// and are drawn more often than other texts.
	Learned []string
	// Numbers are integer constants, as bits.
	Numbers []uint64
	// Deep is set if Mutate also makes deeply nested strings, which let a recursive parser overflow the stack.
	Deep bool
}

const (
	// maxPhrase is the largest number of words that are taken from another constant.
	maxPhrase = 5
	// maxWindow is the number of bytes of another constant that the words are looked for in, and of the part of a
	// longer string that is mutated.
	maxWindow = 200
	// maxRepeated is the number of bytes that a string gets by repeating a part of it.
	maxRepeated = 4096
	// maxDeep is the number of bytes that deepen adds at most.
	maxDeep = 1 << 20
	// deepShare is N where one of N mutations by a deep vocabulary nests a string deeply. Few do, because a candidate
	// with such a string runs much longer than others.
	deepShare = 400
)

// Mutate returns a string that differs a little from t.
func (v *Vocabulary) Mutate(r Random, t string) string {
	if v.Deep && r.Intn(deepShare) == 0 && len(t) <= maxWindow {
		return deepen(r, t)
	}
	if len(t) > maxWindow {
		if r.Intn(4) == 0 {
			return t[:r.Intn(len(t))]
		}
		from := r.Intn(len(t) - maxWindow + 1)
		return t[:from] + v.Mutate(r, t[from:from+maxWindow]) + t[from+maxWindow:]
	}
	if r.Intn(2) == 0 {
		return v.mutateWord(r, t)
	}
	at := r.Intn(len(t) + 1)
	switch r.Intn(13) {
	case 12:
		return nest(r, t)
	case 11:
		return repeat(r, t)
	case 10:
		return v.setNumber(r, t)
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

// learnedShare is N where one of N texts is drawn from Learned, if there are any.
const learnedShare = 4

// any returns one of the texts, or "".
func (v *Vocabulary) any(r Random) string {
	if n := len(v.Learned); n > 0 && r.Intn(learnedShare) == 0 {
		return v.Learned[r.Intn(n)]
	}
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

// nest puts a bracketed group of a string in place of a group inside it, or of its content, so that the string nests
// deeper by the same rules.
func nest(r Random, t string) string {
	if t == "" {
		return t
	}
	open, end := group(t, r.Intn(len(t)))
	if end-open < 2 {
		return t
	}
	from, to := group(t, open+1)
	if to <= from || to > end {
		from, to = open+1, end-1
	}
	return t[:from] + t[open:end] + t[to:]
}

// repeat repeats a word of a string, or what is between two words, up to 256 times.
func repeat(r Random, t string) string {
	var b bounds
	b.split(t)
	if b.n == 0 {
		return t
	}
	i, n := r.Intn(b.n), 1+r.Intn(maxPhrase)
	if r.Intn(2) == 0 {
		n = 1
	}
	part := t[b.at[i]:b.at[min(i+n, b.n)]]
	times := min(1<<r.Intn(9), maxRepeated/len(part))
	return t[:b.at[i]] + strings.Repeat(part, times) + t[b.at[i]:]
}

// openers are what grammars nest without end: brackets, and operators that stand before an operand.
var openers = []string{"[", "{", "(", "<", "-", "!", "+", "*", "&", "~", "[]", "{\"a\":", "a(", "<a>", "(?:", "a:", "- ", "> "}

// deepen returns a string that is nested more deeply than the stack of a candidate allows: it repeats a part of a string, or an opener, some ten thousand times.
func deepen(r Random, t string) string {
	var b bounds
	b.split(t)
	i, part := r.Intn(b.n+1), openers[r.Intn(len(openers))]
	if b.n > 0 && r.Intn(3) == 0 {
		i = r.Intn(b.n)
		part = t[b.at[i]:b.at[min(i+1+r.Intn(maxPhrase), b.n)]]
	}
	at := 0
	if b.n > 0 && r.Intn(2) == 0 {
		at = int(b.at[i])
	}
	return t[:at] + strings.Repeat(part, min(1<<(14+r.Intn(4)), maxDeep/len(part))) + t[at:]
}

// setNumber writes a binary number over a part of a string: of 1, 2, 4 or 8 bytes, of variable length, as protocol
// buffers have it, or behind the number of its bytes, as lengths stand in ASN.1.
func (v *Vocabulary) setNumber(r Random, t string) string {
	kind := r.Intn(6)
	if t != "" && kind < 2 {
		at := r.Intn(len(t))
		end := at + 1
		for end < min(len(t), at+binary.MaxVarintLen64) && t[end-1] >= 0x80 {
			end++
		}
		return t[:at] + string(binary.AppendUvarint(nil, v.number(r, t, at, 8))) + t[end:]
	}
	width := 1 << r.Intn(4)
	if len(t) < width {
		return t
	}
	at := r.Intn(len(t) - width + 1)
	n := v.number(r, t, at, width)
	b := []byte(t)
	if kind == 2 && at > 0 {
		b[at-1] = 0x80 | byte(width)
	}
	if kind > 2 && r.Intn(2) == 0 {
		for i := 0; i < width; i++ {
			b[at+i] = byte(n >> (8 * i))
		}
	} else {
		for i := 0; i < width; i++ {
			b[at+width-1-i] = byte(n >> (8 * i))
		}
	}
	return string(b)
}

// number returns a number of some bytes for a place in a string: the least, one near the greatest or near zero, the length of
// the string or of its rest, or one of the vocabulary.
func (v *Vocabulary) number(r Random, t string, at, width int) uint64 {
	switch k := r.Intn(6); {
	case k == 0:
		return math.MaxUint64
	case k == 1:
		return math.MaxUint64>>(1+64-8*width) - uint64(r.Intn(2)*r.Intn(24))
	case k == 2:
		return 1 << (8*width - 1)
	case k == 3:
		return uint64(r.Intn(5)) - 1
	case k == 4 || len(v.Numbers) == 0:
		return uint64([]int{len(t), len(t) - at, len(t) - at - width}[r.Intn(3)] + r.Intn(3) - 1)
	}
	return v.Numbers[r.Intn(len(v.Numbers))]
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
