//go:build go1.21

package run

import "strings"

// A panic at the line that is sought may have other numbers in its message than the one that is sought, such as another
// index. Then its candidate's distance is not 0 but below numbersShare, the less, the less the numbers differ.

// numbersShare is the distance of a panic with numbers as far from the wanted ones as can be.
const numbersShare = 0.5

// wantedNumbers are the integers in the message of the panic that is sought, nil if there are none.
var wantedNumbers []int64

// numbersDistance returns how far the integers in the first line of a message are from the wanted ones: from 0, if they
// are the same, to numbersShare.
func numbersDistance(message string) float32 {
	line, _, _ := strings.Cut(message, "\n")
	got := Numbers(line)
	if len(got) != len(wantedNumbers) {
		return numbersShare
	}
	sum := 0.0
	for i, n := range got {
		d := float64(n) - float64(wantedNumbers[i])
		if d < 0 {
			d = -d
		}
		sum += d / (d + 1)
	}
	return float32(numbersShare * sum / float64(len(got)))
}

// Numbers returns the integers in a text, in their order; those too large for an int64 are left out. A minus sign belongs
// to a number if no letter or digit is before it.
func Numbers(text string) (out []int64) {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || i > 0 && isLetter(text[i-1]) {
			continue
		}
		begin, n, ok := i, int64(0), true
		for ; i < len(text) && isDigit(text[i]); i++ {
			d := int64(text[i] - '0')
			if ok = ok && n <= (1<<63-1-d)/10; ok {
				n = n*10 + d
			}
		}
		if i < len(text) && isLetter(text[i]) || !ok { // part of a word, such as 0x1f
			for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
				i++
			}
			continue
		}
		if begin > 0 && text[begin-1] == '-' && (begin == 1 || !isLetter(text[begin-2]) && !isDigit(text[begin-2])) {
			n = -n
		}
		out = append(out, n)
	}
	return out
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }
