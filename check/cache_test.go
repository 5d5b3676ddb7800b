package check

import (
	"context"
	"path/filepath"
	"testing"

	"dsd/check/ir"
	"dsd/check/prove"
	"dsd/internal/source"
	"dsd/schemas"
)

// TestCache checks that a caller knows of an assertion that cannot fail in a callee alone, and
// that one which fails there and is recovered from is not taken for proved.
func TestCache(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	c, err := prepare(context.Background(), prog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		caller, fn string
		kind       schemas.Kind
		want       prove.Status
	}{
		{"panics.Guards", "panics.guarded", schemas.Index, prove.Holds},
		{"panics.Recovered", "panics.recovered", schemas.Index, prove.MayFail},
	} {
		a := assertIn(t, c, tt.fn, tt.kind)
		if got := c.cache.Known(keyOf(t, c, tt.caller)).Status(a); got != tt.want {
			t.Errorf("%s in %s, called by %s: %v, want %v", tt.kind, tt.fn, tt.caller, got, tt.want)
		}
	}
}

// TestCacheSelect checks that an assertion that Options.Select leaves out is not proved for
// callers.
func TestCacheSelect(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	var funcs []*source.Func
	for _, f := range prog.Packages[0].Funcs() {
		if f.Name == "panics.guarded" || f.Name == "panics.Guards" {
			funcs = append(funcs, f)
		}
	}
	none := func(string, schemas.Kind, string) bool { return false }
	c, err := prepare(context.Background(), prog, Options{Functions: funcs, Select: none})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	a := assertIn(t, c, "panics.guarded", schemas.Index)
	if got := c.cache.Known(keyOf(t, c, "panics.Guards")).Status(a); got == prove.Holds {
		t.Error("an assertion that was not asked about is proved")
	}
}

// keyOf returns the key of a function.
func keyOf(t *testing.T, c *checker, fn string) string {
	t.Helper()
	for _, r := range c.roots {
		if r.Func.Name == fn {
			return r.Key
		}
	}
	t.Fatalf("no function %s", fn)
	return ""
}

// assertIn returns the last assertion of a kind in a function.
func assertIn(t *testing.T, c *checker, fn string, kind schemas.Kind) *ir.Assert {
	t.Helper()
	var last *ir.Assert
	for _, b := range c.testee.World.Func(keyOf(t, c, fn)).Blocks {
		for _, cmd := range b.Cmds {
			if a, ok := cmd.(*ir.Assert); ok && a.Kind == kind {
				last = a
			}
		}
	}
	if last == nil {
		t.Fatalf("no assertion %s in %s", kind, fn)
	}
	return last
}

// TestCacheOrder checks that callees come before their callers.
func TestCacheOrder(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	c, err := prepare(context.Background(), prog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for place, i := range c.cache.Order {
		at[c.roots[i].Func.Name] = place
	}
	for _, pair := range [][2]string{{"panics.guarded", "panics.Guards"},
		{"panics.recovered", "panics.Recovered"}} {
		if at[pair[0]] >= at[pair[1]] {
			t.Errorf("%s comes at %d, after its caller %s at %d", pair[0], at[pair[0]], pair[1], at[pair[1]])
		}
	}
}
