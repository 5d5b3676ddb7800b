package fingerprint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

const original = `package m

import "fmt"

// At returns an element.
func At(list []int, i int) int { return list[i] }

type Box struct{ items []int }

func (b *Box) Sum(from, to int) (n int) {
	for _, x := range b.items[from:to] {
		n += x
	}
	if n > 10 {
		n = b.items[0] // one
	} else if n > 5 {
		n = b.items[1]
	}
	n += b.items[0] + b.items[0]
	n = b.items[0]
	return At(b.items, n)
}

func Call(f func(int) int) {
	defer func() { fmt.Println(f(1)) }()
	fmt.Println(
		f(2),
		f(3),
	)
	switch x := f(4); x {
	case f(5):
		f(6)
	}
}

var table = []int{At(nil, 1)}
`

// changed is the same with lines, comments, a parameter's name and neighbors that are not the same.
const changed = `// Package m has a comment.
package m

import "fmt"

func New() int { return 1 }

type Box struct{ items []int }

var table = []int{At(nil, 1)}

// At returns an element of a list.
func At(list []int, i int) int {
	return list[i]
}

func (b *Box) Sum(from, to int) (n int) {
	fmt.Println("sum")
	for _, x := range b.items[from:to] {
		n += x
		n += 0
	}
	if n > 10 {
		n = b.items[0]
	} else if n > 5 {
		n =
			b.items[1]
	}
	n += b.items[0] + b.items[0]
	n = b.items[0]
	return At(b.items, n)
}

func Call(f func(int) int) {
	defer func() { fmt.Println(f(1)) }()
	fmt.Println(f(2), f(3))
	switch x := f(4); x {
	case f(5):
		fmt.Println()
		f(6)
	}
}
`

// sites loads a file of a module.
func sites(t *testing.T, name, text string) *Sites {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", name: text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return New(prog)
}

// position returns the position of the n-th occurrence of a text, with its column.
func position(t *testing.T, name, text, what string, n int) string {
	t.Helper()
	at := -1
	for range n + 1 {
		i := strings.Index(text[at+1:], what)
		if i < 0 {
			t.Fatalf("%q is not there %d times", what, n+1)
		}
		at += 1 + i
	}
	line := 1 + strings.Count(text[:at], "\n")
	return fmt.Sprintf("%s:%d:%d", name, line, at-strings.LastIndex(text[:at], "\n"))
}

// TestOf: the fingerprints of a file are different, and those of a changed file the same.
func TestOf(t *testing.T) {
	before, after := sites(t, "m.go", original), sites(t, "renamed.go", changed)
	seen := map[string]string{}
	for _, tt := range []struct {
		what      string
		n, n2     int  // which occurrence, before and after
		statement bool // whether it is the only place of its statement, so that the line is enough
	}{
		{"list[i]", 0, 0, true},
		{"b.items[from", 0, 0, true},
		{"b.items[0]", 0, 0, true},  // in the if statement
		{"b.items[0]", 1, 1, false}, // one of two in the statement
		{"b.items[0]", 2, 2, false},
		{"b.items[0]", 3, 3, true}, // the second of two equal statements
		{"b.items[1]", 0, 0, true},
		{"f(1)", 0, 0, true},
		{"f(2)", 0, 0, false},
		{"f(3)", 0, 0, false},
		{"f(4)", 0, 0, true},
		{"f(5)", 0, 0, true},
		{"f(6)", 0, 0, true},
		{"At(nil", 0, 0, true},
	} {
		name := fmt.Sprintf("%s, %d", tt.what, tt.n)
		a, b := position(t, "m.go", original, tt.what, tt.n), position(t, "renamed.go", changed, tt.what, tt.n2)
		one, two := before.Of(schemas.Index, "example.com/m.F", a), after.Of(schemas.Index, "example.com/m.F", b)
		if one != two || len(one) != length {
			t.Errorf("%s: %s at %s, %s at %s", name, one, a, two, b)
		}
		if other := seen[one]; other != "" {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[one] = name
		if before.Of(schemas.NilDeref, "example.com/m.F", a) == one || before.Of(schemas.Index, "example.com/m.G", a) == one {
			t.Errorf("%s: the kind or the function does not matter", name)
		}
		a, b = a[:strings.LastIndex(a, ":")], b[:strings.LastIndex(b, ":")] // no columns, as in stacks
		one, two = before.Of(schemas.Index, "example.com/m.F", a), after.Of(schemas.Index, "example.com/m.F", b)
		if one != two {
			t.Errorf("%s: without columns %s and %s", name, one, two)
		}
		if other := seen[one]; tt.statement && other != "" {
			t.Errorf("%s, without a column, has the fingerprint of %s", name, other)
		}
		seen[one] = name
	}
}

// TestElsewhere: in other modules, the version does not matter; nothing is wrong with positions that are nowhere.
func TestElsewhere(t *testing.T) {
	s := sites(t, "m.go", original)
	of := func(pos string) string { return s.Of(schemas.Index, "example.com/m.F", pos) }
	if of("example.com/stk@v0.1.0/stk.go:10") != of("example.com/stk@v0.2.0/stk.go:12") {
		t.Error("the version matters")
	}
	if of("example.com/stk@v0.1.0/stk.go:10") == of("example.com/stk@v0.1.0/other.go:10") {
		t.Error("the file does not matter")
	}
	for _, pos := range []string{"", "m.go", "m.go:1", "m.go:100000:3", "m.go:6:5000", "m.go:7", "none.go:3:1", "@", "a@b"} {
		if got := of(pos); len(got) != length {
			t.Errorf("%q: %q", pos, got)
		}
	}
}

func TestNumber(t *testing.T) {
	var warnings []schemas.Warning
	var crashes []schemas.Crash
	for _, f := range []string{"aa", "bb-2", "aa", "", "aa-7", ""} {
		warnings = append(warnings, schemas.Warning{Fingerprint: f})
		crashes = append(crashes, schemas.Crash{Fingerprint: f})
	}
	NumberWarnings(warnings)
	NumberCrashes(crashes)
	for i, want := range []string{"aa", "bb", "aa-2", "", "aa-3", ""} {
		if warnings[i].Fingerprint != want || crashes[i].Fingerprint != want {
			t.Errorf("%d: %q and %q, want %q", i, warnings[i].Fingerprint, crashes[i].Fingerprint, want)
		}
	}
}
