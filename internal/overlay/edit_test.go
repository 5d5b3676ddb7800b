package overlay

import "testing"

// TestEdits applies edits to one text, and to a part of it.
func TestEdits(t *testing.T) {
	const src = "if x { f() }"
	for _, test := range []struct {
		name         string
		edit         func(e *Edits)
		want, within string // within is the text of the block
	}{
		{"none", func(e *Edits) {}, "if x { f() }", "{ f() }"},
		{"insert", func(e *Edits) { e.Insert(7, "g(); ") }, "if x { g(); f() }", "{ g(); f() }"},
		{"insert at the ends", func(e *Edits) { e.Insert(0, "<"); e.Insert(12, ">") }, "<if x { f() }>",
			"{ f() }>"},
		{"insert twice at one offset", func(e *Edits) { e.Insert(7, "a "); e.Insert(7, "b ") },
			"if x { a b f() }", "{ a b f() }"},
		{"replace, in any order", func(e *Edits) { e.Replace(7, 10, "h()"); e.Replace(3, 4, "!x") },
			"if !x { h() }", "{ h() }"},
		{"add", func(e *Edits) {
			var other Edits
			other.Insert(5, "T")
			e.Insert(5, "S")
			e.Add(&other)
		}, "if x ST{ f() }", "ST{ f() }"},
	} {
		var e Edits
		test.edit(&e)
		if got := string(e.Within([]byte(src), 5, 12)); got != test.within {
			t.Errorf("%s: Within returns %q, want %q", test.name, got, test.within)
		}
		if got := string(e.Apply([]byte(src))); got != test.want {
			t.Errorf("%s: Apply returns %q, want %q", test.name, got, test.want)
		}
	}
}
