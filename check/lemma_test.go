package check

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"dsd/check/ir"
	"dsd/check/lower"
	"dsd/check/smt"
	"dsd/schemas"
)

// TestLemmas: what cannot fail in a function alone is a lemma for its callers, and nothing else is: not what fails there
// and is recovered from.
func TestLemmas(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	c := &checker{prog: prog, w: lower.New(prog), opt: Options{Rlimit: DefaultRlimit, Log: io.Discard},
		session: func() (smt.Session, error) { return smt.NewZ3(), nil }}
	if _, err := c.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		fn   string
		kind schemas.Kind
		want fate
	}{
		{"panics.guarded", "index", holds},
		{"panics.Prefix", "index", mayFail},
		{"panics.recovered", "index", mayFail},
		{"panics.LoopDigits", "index", mayFail},
		{"panics.LoopNever", "index", holds},
	} {
		a := assertIn(t, c, tt.fn, tt.kind)
		p := c.lemmas.owner[a]
		if got := p.fates[a]; got != tt.want {
			t.Errorf("%s in %s: %v, want %v", tt.kind, tt.fn, got, tt.want)
		}
	}
}

// assertIn is the last assertion of a kind in a function.
func assertIn(t *testing.T, c *checker, fn string, kind schemas.Kind) *ir.Assert {
	t.Helper()
	for _, r := range c.roots {
		if r.Func.Name != fn {
			continue
		}
		list := asserts(c.w.Func(r.Key))
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Kind == kind {
				return list[i]
			}
		}
	}
	t.Fatalf("no assertion %s in %s", kind, fn)
	return nil
}

// TestLemmaOrder: what callers know depends on the call graph alone: of functions lower than they are.
func TestLemmaOrder(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	c := &checker{prog: prog, w: lower.New(prog), opt: Options{Log: io.Discard}}
	c.prepare()
	at := map[string]int{}
	for place, i := range c.lemmas.order {
		at[c.roots[i].Func.Name] = place
	}
	for _, pair := range [][2]string{{"panics.guarded", "panics.Guards"}, {"panics.recovered", "panics.Recovered"}} {
		if at[pair[0]] >= at[pair[1]] {
			t.Errorf("%s comes at %d, after its caller %s at %d", pair[0], at[pair[0]], pair[1], at[pair[1]])
		}
	}
}
