package run

import (
	"slices"
	"strconv"
	"testing"
)

// drawn are numbers to draw in turn.
type drawn []int

func (d *drawn) Intn(int) int {
	n := (*d)[0]
	*d = (*d)[1:]
	return n
}

func (d *drawn) Uint64() uint64 { return uint64(d.Intn(0)) }

// TestUnequal: of the texts that a condition on the way compares, those that should have been equal are kept, the last ones,
// each pair once, though the condition came out as needed before.
func TestUnequal(t *testing.T) {
	defer func(s []float64, tr [][]int, b []float64, c []operands, n []float32) {
		steps, trails, bestLeft, compared, nearest = s, tr, b, c, n
		resetDistance()
	}(steps, trails, bestLeft, compared, nearest)
	steps, trails = nil, nil
	Trails([]int{1}, [][]int{{0}})
	resetDistance()
	compare := func(s string) { Texts(0, 1, Equal, true, s, "class", s == "class") }
	for _, s := range []string{"class", "a", "", "b", "a"} {
		compare(s)
	}
	Texts(0, 1, NotEqual, true, "c", "c", false) // should differ
	if want := []operands{{known: true, texts: true, s: "a", t: "class"}, {known: true, texts: true, s: "b", t: "class"}}; !slices.Equal(unequal, want) {
		t.Errorf("got %+v, want %+v", unequal, want)
	}
	for n := range maxUnequal {
		compare(strconv.Itoa(n))
	}
	if len(unequal) != maxUnequal || unequal[0].s != "0" {
		t.Errorf("got %+v, want the last %d", unequal, maxUnequal)
	}
	if resetDistance(); len(unequal) > 0 {
		t.Errorf("got %+v for the next candidate", unequal)
	}
}

// TestOperandsIn draws neither a swap of the operands nor a number next to them.
func TestOperandsIn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		o      operands
		text   string
		want   string
		absent bool
		draws  drawn // instead of 1, 1, 0
	}{
		{name: "decimal", o: operands{a: 12, b: 7}, text: "n=12;", want: "n=7;"},
		{name: "two bytes", o: operands{a: 300, b: 9}, text: "\x01\x2c", want: "\x00\x09"},
		{name: "four bytes, little end first", o: operands{a: 0x04030201, b: 0x11223345}, text: "-\x01\x02\x03\x04-",
			want: "-\x45\x33\x22\x11-"},
		{name: "negative", o: operands{a: -2, b: 5}, text: "\xfe", want: "\x05"},
		{name: "varint", o: operands{a: 300, b: 129}, text: "\xac\x02", want: "\x81\x01"},
		{name: "text", o: operands{texts: true, s: "PK", t: "BZh"}, text: "xPKy", want: "xBZhy", draws: drawn{1, 0}},
		{name: "the second of two texts", o: operands{texts: true, s: "PK", t: "BZh"}, text: "PK PK", want: "PK BZh", draws: drawn{1, 1}},
		{name: "too large", o: operands{a: 300, b: 1}, text: "\x2c", absent: true},
		{name: "not there", o: operands{a: 1 << 40, b: 3}, text: "abc", absent: true},
		{name: "empty text", o: operands{texts: true, s: "", t: "x"}, text: "abc", absent: true},
	} {
		tt.o.known = true
		if tt.draws == nil {
			tt.draws = drawn{1, 1, 0}
		}
		got, ok := tt.o.in(&tt.draws, tt.text)
		if ok == tt.absent || ok && got != tt.want {
			t.Errorf("%s: got %q, %v, want %q, %v", tt.name, got, ok, tt.want, !tt.absent)
		}
	}
	swapped := operands{known: true, a: 1, b: 70000}
	if got, _ := swapped.in(&drawn{0, 0, 2, 0}, "70000"); got != "2" {
		t.Errorf("swapped, and one more: got %q, want 2", got)
	}
	unknown := operands{a: 1, b: 2}
	if _, ok := unknown.in(&drawn{}, "1"); ok {
		t.Error("operands that are not known are replaced")
	}
}
