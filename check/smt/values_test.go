package smt

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseValues(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"()", "[]"},
		{"((x true) (y false))", "[1 0]"},
		{"((x #xff))\n", "[ff]"},
		{"((x #b101))", "[5]"},
		{"((x #xFFFFFFFFFFFFFFFF))", "[ffffffffffffffff]"},
		{"(((f #x01 #x02) #x03))", "[3]"},
		{"\n( ( x\t#x01 )\r\n (y #x02) )", "[1 2]"},
		{"((f (fp #b0 #b01111111111 #x0000000000000)))", "[3ff0000000000000]"},
		{"((f (fp #b1 #x7f #b00000000000000000000000)))", "[bf800000]"},
		{"((f (_ +oo 11 53)))", "[7ff0000000000000]"},
		{"((f (_ -oo 11 53)))", "[fff0000000000000]"},
		{"((f (_ NaN 11 53)))", "[7ff8000000000000]"},
		{"((f (_ +zero 11 53)))", "[0]"},
		{"((f (_ -zero 11 53)))", "[8000000000000000]"},
		{"((f (_ +oo 8 24)))", "[7f800000]"},
		{"((f (_ -oo 8 24)))", "[ff800000]"},
		{"((f (_ NaN 8 24)))", "[7fc00000]"},
		{"((f (_ -zero 8 24)))", "[80000000]"},

		{"", "error"},
		{"(", "error"},
		{")", "error"},
		{"((x", "error"},
		{"((x #x01)", "error"},
		{"((x))", "error"},
		{"((x #x01 #x02))", "error"},
		{"(x)", "error"},
		{"((x #x))", "error"},
		{"((x #xg))", "error"},
		{"((x #b2))", "error"},
		{"((x #x-1))", "error"},
		{"((x #x10000000000000000))", "error"}, // 65 bits
		{"((x 5))", "error"},
		{"((x ()))", "error"},
		{"((x (- 5)))", "error"},
		{"((x (_ bv5 32)))", "error"}, // no known solver writes that
		{"((x (_ +huge 11 53)))", "error"},
		{"((x (fp #b0 #b1)))", "error"},
		{"((x (fp 0 1 2)))", "error"},
		{"(error \"no model\")", "error"},
		{strings.Repeat("(", 10000), "error"},
	} {
		n := strings.Count(test.want, " ") + 1
		if test.want == "[]" {
			n = 0
		}
		got, err := parseValues(test.text, n)
		text := fmt.Sprintf("%x", got)
		if err != nil {
			text = "error"
		}
		if text != test.want {
			t.Errorf("%.40q: got %s (%v), want %s", test.text, text, err, test.want)
		}
	}
	if _, err := parseValues("((x true))", 2); err == nil {
		t.Errorf("got no error for one value instead of two")
	}
}

// A float inside a float is not a value.
func TestParseNestedFloat(t *testing.T) {
	if got, err := parseValues("((x (fp (_ +oo 11 53) #b0 #b0)))", 1); err == nil {
		t.Errorf("got %x, want an error", got)
	}
}

// Parsing any text gives as many values as requested, or an error.
func FuzzParseValues(f *testing.F) {
	for _, s := range []string{
		"((x true) (y false))", "((x #xff))", "((x #b101))", "(((f #x01 #x02) #x03))",
		"((f (fp #b0 #b01111111111 #x0000000000000)))",
		"((f (_ -oo 11 53)))", "((f (_ NaN 8 24)))", "(error \"no model\")", "((x", "sat",
		"((x (let ((a #x00)) a)))", "()",
	} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if len(text) > 1<<12 || n < 0 || n > 100 {
			return
		}
		got, err := parseValues(text, n)
		if err != nil {
			return
		}
		if len(got) != n {
			t.Fatalf("%q: %d values for %d terms", text, len(got), n)
		}
		// White space does not matter.
		spaced := strings.NewReplacer("(", " (\n", ")", "\t) ").Replace(text)
		again, err := parseValues(spaced, n)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("%q: %v, but with other spaces %v (%v)", text, got, again, err)
		}
	})
}
