package run

import (
	"slices"
	"strings"
	"testing"
)

// script is a Random that draws the listed numbers.
type script []int

func (s *script) Intn(n int) int {
	x := (*s)[0]
	*s = (*s)[1:]
	if x >= n {
		panic("the script draws too large a number")
	}
	return x
}

func (s *script) Uint64() uint64 { return uint64(s.Intn(1 << 30)) }

// TestMutateWord checks each way of mutating a string by words. The script draws the other word,
// whether it is a digit (0), two words of the string, and the way.
func TestMutateWord(t *testing.T) {
	v := &Vocabulary{Texts: []string{"x + y*(z)"}, Words: []string{"other"}}
	const text = "a (b c) d" // a, blank, (, b, blank, c, ), blank, d
	for _, c := range []struct {
		script script
		want   string
	}{
		{script{0, 1, 3, 0, 0}, "a (other c) d"},
		{script{0, 0, 7, 3, 0, 0}, "a (7 c) d"},
		{script{0, 1, 2, 0, 2}, "a b c) d"},
		{script{0, 1, 3, 8, 3}, "a (bd c) d"},
		{script{0, 1, 3, 8, 4}, "a (bother c) d"},
		{script{0, 1, 7, 3, 5}, "a ( d"},
		{script{0, 1, 0, 0, 6, 0}, "a other d"},
		{script{0, 1, 0, 0, 6, 1}, "a (other) d"},
		{script{0, 1, 8, 0, 6}, "a (b c) other"}, // no bracket from there on
		{script{0, 1, 3, 0, 7, 0, 4, 2, 2}, "a (y*(c) d"},
		{script{0, 1, 5, 0, 8, 0, 8, 4, 4}, "a (b )"},
	} {
		drawn := slices.Clone(c.script)
		if got := v.mutateWord(&drawn, text); got != c.want || len(drawn) > 0 {
			t.Errorf("script %v: got %q, want %q; not drawn: %v", c.script, got, c.want,
				drawn)
		}
	}
}

// FuzzMutate checks that no text and no choice makes Mutate panic.
func FuzzMutate(f *testing.F) {
	f.Add("", "", uint64(1))
	f.Add(strings.Repeat("(", 300), "\xff0", uint64(2))
	f.Fuzz(func(t *testing.T, text, other string, seed uint64) {
		r := random(seed)
		v := &Vocabulary{Texts: []string{other}, Words: SplitWords(other)}
		if strings.Join(v.Words, "") != other {
			t.Errorf("the words of %q are %q", other, v.Words)
		}
		for range 100 {
			v.Mutate(&r, text)
		}
	})
}
