package run

import (
	"reflect"
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

// TestMutate checks the mutations that keep the form of a text: deeper, longer, and with other numbers in its bytes. The
// script begins with what leads there.
func TestMutate(t *testing.T) {
	v := &Vocabulary{Numbers: []uint64{0x0102}}
	for _, c := range []struct {
		script script
		text   string
		want   string
	}{
		{script{1, 0, 12, 0}, "{a:{b:1}}", "{a:{a:{b:1}}}"},
		{script{1, 0, 12, 3}, "{a:{b:1}}", "{a:{{b:1}}}"},
		{script{1, 0, 12, 0}, "no group", "no group"},
		{script{1, 0, 11, 0, 0, 0, 2}, "ab.", "ababababab."},
		{script{1, 0, 11, 0, 1, 1, 1}, "ab.", "ab.ab.ab."},
		{script{1, 0, 10, 3, 1, 1, 5, 0, 0}, "abcd", "a\x02\x01d"},
		{script{1, 0, 10, 3, 1, 1, 5, 0, 1}, "abcd", "a\x01\x02d"},
		{script{1, 0, 10, 3, 0, 3, 0, 1}, "abcd", "abc\xff"},
		{script{1, 0, 10, 3, 0, 0, 1, 0, 0, 1}, "abcd", "\x7fbcd"},
		{script{1, 0, 10, 3, 0, 0, 1, 1, 7, 1}, "abcd", "\x78bcd"},
		{script{1, 0, 10, 3, 2, 0, 2, 1}, "abcd", "\x80\x00\x00\x00"},
		{script{1, 0, 10, 3, 0, 0, 4, 1, 1, 0}, "abcd", "\x04bcd"},
		{script{1, 0, 10, 2, 1, 1, 2}, "abcd", "\x82\x80\x00d"},
		{script{1, 0, 10, 0, 1, 1, 1, 10}, "a\x80\x01d", "a\xf5\xff\xff\xff\xff\xff\xff\xff\x7fd"},
	} {
		drawn := slices.Clone(c.script)
		if got := v.Mutate(&drawn, c.text); got != c.want || len(drawn) > 0 {
			t.Errorf("script %v: got %q, want %q; not drawn: %v", c.script, got, c.want, drawn)
		}
	}
	// Of a long text, a part is mutated.
	long := strings.Repeat("x", 300) + "{y}" + strings.Repeat("z", 300)
	if got, want := v.Mutate(&script{1, 200, 1, 0, 12, 0}, long), strings.Replace(long, "{y}", "{{y}}", 1); got != want {
		t.Errorf("of a long text: got %q", got)
	}
}

// TestLearned: one of learnedShare texts is a learned one, and the process that draws them reads what Encode wrote.
func TestLearned(t *testing.T) {
	written := Vocabulary{Texts: []string{"text"}, Words: []string{"word"}, Learned: []string{"\xff", "new"}, Numbers: []uint64{1}, Deep: true}
	text, err := written.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var v Vocabulary
	if v.decode(text); !reflect.DeepEqual(v, written) {
		t.Errorf("got %+v, want %+v", v, written)
	}
	for _, c := range []struct {
		script script
		want   string
	}{{script{0, 1}, "new"}, {script{1, 0}, "text"}} {
		if got := v.any(&c.script); got != c.want || len(c.script) > 0 {
			t.Errorf("got %q, want %q; not drawn: %v", got, c.want, c.script)
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
