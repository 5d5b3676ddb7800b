package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/fact"
	"dsd/internal/source"
	"dsd/schemas"
)

// TestFacts checks functions that depend on calls that are not followed, given what the calls
// returned.
func TestFacts(t *testing.T) {
	const src = `package m

import (
	"fmt"
	"net/url"
	"os"
)

func Text(s string) byte {
	v := os.Getenv(s)
	if v == "" || s == "" {
		return 0
	}
	return v[1]
}

func Host(s string) byte {
	u, err := url.Parse(s)
	if err != nil {
		return 0
	}
	return u.Scheme[0]
}

func Words(s string) string {
	var a, b string
	n, _ := fmt.Sscan(s, &a, &b)
	return []string{a, b}[n]
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text := func(s string) fact.Value { b := []byte(s); return fact.Value{Text: &b} }
	number := func(n uint64) fact.Value { return fact.Value{Bits: &n} }
	null := fact.Value{Nil: true}
	address := func(scheme string) fact.Value {
		inside := fact.Value{Elems: make([]fact.Value, 11)}
		for i := range inside.Elems {
			inside.Elems[i].Opaque = true
		}
		inside.Elems[0] = text(scheme)
		return fact.Value{NotNil: true, Inside: &inside}
	}
	getenv := func(s, v string) fact.Call {
		return fact.Call{Callee: "os.Getenv", Args: []fact.Value{text(s)}, Results: []fact.Value{text(v)}}
	}
	parse := func(s, scheme string) fact.Call {
		return fact.Call{Callee: "net/url.Parse", Args: []fact.Value{text(s)},
			Results: []fact.Value{address(scheme), null}}
	}
	scan := fact.Call{Callee: "fmt.Sscan", Args: []fact.Value{text("a"), {Opaque: true}},
		Results: []fact.Value{number(1), {NotNil: true, Opaque: true}}}
	for _, tt := range []struct {
		name, fn string
		facts    []fact.Call
		only     bool
		// arg is the argument that crashes: "none", or "any" for one that the facts leave open.
		arg string
	}{
		{"no fact", "Text", nil, false, "any"},
		{"another argument", "Text", []fact.Call{getenv("aa", "long")}, false, "any"},
		{"only long", "Text", []fact.Call{getenv("aa", "long")}, true, "none"},
		{"only empty", "Text", []fact.Call{getenv("aa", "")}, true, "none"},
		{"one of two", "Text", []fact.Call{getenv("aa", "long"), getenv("bb", "x")}, true, `"bb"`},
		{"two results", "Text", []fact.Call{getenv("aa", "long"), getenv("aa", "x")}, true, `"aa"`},
		{"scheme", "Host", []fact.Call{parse("a://b", "a")}, true, "none"},
		{"no scheme", "Host", []fact.Call{parse("a://b", "a"), parse("bb", "")}, true, `"bb"`},
		{"results of an opaque argument", "Words", []fact.Call{scan}, true, "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			prog, err := source.Load(context.Background(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			var funcs []*source.Func
			for _, f := range prog.Packages[0].Funcs() {
				if f.Obj.Name() == tt.fn {
					funcs = append(funcs, f)
				}
			}
			doc, err := Run(context.Background(), prog,
				Options{Functions: funcs, Facts: tt.facts, OnlyFacts: tt.only})
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			for _, w := range doc.Warnings {
				if w.Counterexample == nil {
					t.Fatalf("%s: no counterexample", w.Pos)
				}
				got = w.Counterexample.Params[0].Lit
				if tt.arg == "any" {
					got = "any"
				}
			}
			if got != tt.arg {
				t.Errorf("got %s, want %s", got, tt.arg)
			}
		})
	}
}

// TestStatus checks which counterexamples rest on what calls return or write.
func TestStatus(t *testing.T) {
	const src = `package m

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

func Input(s []int) int          { return s[2] }
func Result(s []string) string   { return s[len(os.Getenv("n"))] }
func Callback(f func() int) int  { return 1 / f() }
func Ignored(s []int) int        { os.Getpid(); return s[2] }
func Modelled(s string) byte     { return s[strings.IndexByte(s, 'x')] }
func Written(s string) byte      { n := 0; fmt.Sscan(s, &n); return s[n] }
func Caller(r interface{ M() int }) int { return 1 / r.M() }
func OtherState(b *bytes.Buffer) int { return 1 / (b.Len() - 2) }
`
	doc := runSource(t, src)
	got := map[string]schemas.Status{}
	for _, w := range doc.Warnings {
		if w.Param == "" {
			got[strings.TrimPrefix(w.Func, "example.com/m.")] = w.Status
		}
	}
	for fn, want := range map[string]schemas.Status{
		"Input": schemas.Sat, "Ignored": schemas.Sat, "Callback": schemas.Sat,
		"Result": schemas.Free, "Modelled": schemas.Free, "Written": schemas.Free,
		"Caller": schemas.Free, "OtherState": schemas.Free,
	} {
		if got[fn] != want {
			t.Errorf("%s: got status %q, want %q", fn, got[fn], want)
		}
	}
}

// runSource checks the only file of a module example.com/m.
func runSource(t *testing.T, src string) *schemas.Warnings {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(context.Background(), prog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestComparisons checks a function that compares its argument with what a call writes through a
// pointer, given the operands of that comparison in real runs.
func TestComparisons(t *testing.T) {
	const src = `package m

import "fmt"

func Limit(n uint8) int {
	var limit uint8
	fmt.Sscan("7", &limit)
	if n == limit && n > 2 {
		return 1 / int(n-limit)
	}
	return 0
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		seen []fact.Operands
		arg  string // "" for none
	}{
		{"as in the run", []fact.Operands{{1, 7}}, "7"},
		{"as in one of two", []fact.Operands{{1, 2}, {5, 9}}, "9"},
		{"in no run", []fact.Operands{{1, 1}, {1, 2}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			prog, err := source.Load(context.Background(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			var seen []fact.Comparison
			for _, o := range tt.seen {
				seen = append(seen, fact.Comparison{Pos: "m.go:8:5", Operands: o})
			}
			doc, err := Run(context.Background(), prog, Options{Comparisons: seen})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, w := range doc.Warnings {
				got = w.Counterexample.Params[0].Lit
			}
			if got != tt.arg {
				t.Errorf("got %q, want %q", got, tt.arg)
			}
		})
	}
}
