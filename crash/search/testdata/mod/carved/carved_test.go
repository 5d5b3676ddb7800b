package carved

import (
	"testing"

	"example.com/nowhere/assert"
)

type local struct{ n int }

var cases = []struct {
	from, to string
	at       int
}{
	{"a", "b", 3},
	{from: "x", at: -1},
}

func TestTable(t *testing.T) {
	for _, c := range cases {
		t.Run(c.from, func(t *testing.T) {
			d, err := Open("doc: a text")
			assert.NoError(t, err)
			d.Mark(c.from, c.at)
			if got := d.Between(c.from, c.to); got != "" {
				t.Error(got)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	d := With(func(d *Doc) { d.Title = "x"; d.marks["m"] = 1 })
	d.Title = "doc: y"
	assert.Equal(t, 3, Join(", ", 1, "two", []int{3}, local{4}))
	if Join("-", 1.5, map[string]int{"a": 1}) != 3 {
		t.Error(d.Between("m", "m"))
	}
}

// newDoc and marked are helpers.
func newDoc(t *testing.T, title string) *Doc {
	t.Helper()
	d, err := Open("doc: " + title)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func marked(t *testing.T, d *Doc, rows []struct {
	from string
	at   int
}) {
	for _, r := range rows {
		d.Mark(r.from, r.at)
	}
}

func TestHelpers(t *testing.T) {
	rows := []struct {
		from string
		at   int
	}{{"h", 7}, {"i", 8}}
	d := newDoc(t, "helped")
	d.Options.Style.Wide = true
	marked(t, d, rows)
	if err := d.Each(func(name string) error { rows = nil; return nil }); err != nil {
		t.Fatal(err)
	}
}
