//go:build go1.21

package run

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Vocabulary is what strings are changed with, by those who draw candidates and by the climb around them.
type Vocabulary struct {
	// Texts are the constants, and Words the words of the strings in the source, as often as they are there.
	Texts, Words []string
	// Numbers are integer constants.
	Numbers []uint64
}

// Random draws numbers.
type Random interface {
	// Intn is a number from 0 up to n, without it.
	Intn(n int) int
	Uint64() uint64
}

// MutateInt is an integer near another, or now and then any.
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

// Mutate changes a string a little.
func (v *Vocabulary) Mutate(r Random, t string) string {
	if len(t) > maxWindow {
		return t[:r.Intn(len(t))]
	}
	if r.Intn(2) == 0 {
		return v.word(r, t)
	}
	at := r.Intn(len(t) + 1)
	switch r.Intn(10) {
	case 9:
		return closed(r, t)
	case 8:
		return measured(r, t)
	case 6:
		return otherNumber(r, t)
	case 7: // the end of another
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

// any is one of the texts.
func (v *Vocabulary) any(r Random) string {
	if len(v.Texts) == 0 {
		return ""
	}
	return v.Texts[r.Intn(len(v.Texts))]
}

// maxPhrase is how many words of another constant are taken at most, and maxWindow in how many of its bytes they are looked for; it is
// also the length of what is changed but by cutting it off.
const (
	maxPhrase = 5
	maxWindow = 200
)

// bounds are where the words of a string of up to maxWindow bytes begin, and, at n, where the last one ends.
type bounds struct {
	at [maxWindow + 1]uint8
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

// word changes a string by whole words: one is replaced by one of the constants' words, dropped, doubled, or put elsewhere, or some
// by some of another constant.
func (v *Vocabulary) word(r Random, t string) string {
	var b bounds
	b.split(t)
	all := v.Words
	if b.n == 0 || len(all) == 0 {
		return t
	}
	other := all[r.Intn(len(all))]
	if r.Intn(8) == 0 { // which every language has
		other = strconv.Itoa(r.Intn(10))
	}
	i, j := r.Intn(b.n), r.Intn(b.n)
	from, to := int(b.at[i]), int(b.at[i+1])
	switch r.Intn(9) {
	case 7, 8:
		return t[:from] + phrase(r, v.any(r)) + t[b.at[min(i+r.Intn(maxPhrase), b.n)]:]
	case 6:
		if open, end := group(t, from); end > open { // what is in brackets becomes one word, with them or without
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
	case 5: // what stands between two
		return t[:b.at[min(i, j)]] + t[b.at[max(i, j)]:]
	}
	return t[:from] + other + t[to:]
}

// phrase is a few words of a text that follow each other.
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

// group is from the next bracket that opens, at or after i, to behind the one that closes it; the same twice if there are none.
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

// closed closes a bracket or quotation that is open in a string, somewhere behind where it opens.
func closed(r Random, t string) string {
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

// measured puts the length of a string before it, or of its end before that, as binary formats do.
func measured(r Random, t string) string {
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

// SplitWords splits a string into words and what stands between them, byte by byte.
func SplitWords(t string) []string {
	var out []string
	for i := 0; i < len(t); {
		j := wordEnd(t, i)
		out = append(out, t[i:j])
		i = j
	}
	return out
}

// wordEnd is where the word that begins at i ends, or the byte that is in none.
func wordEnd(t string, i int) int {
	j := i
	for j < len(t) && inWord[t[j]] {
		j++
	}
	return max(j, i+1)
}

// inWord says which bytes words are made of.
var inWord = func() (in [256]bool) {
	for c := range in {
		in[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
	}
	return in
}()

// otherNumber replaces a number in a string.
func otherNumber(r Random, t string) string {
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
