package check

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"dsd/check/ir"
	"dsd/check/prove"
	"dsd/internal/source"
	"dsd/schemas"
)

// TestCache checks that a caller knows of an assertion that cannot fail in a callee alone, and
// that one which fails there and is recovered from is not taken for proved.
func TestCache(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	c, b := lowered(t, prog, Options{})
	c.analyze(context.Background(), b, 0)
	for _, tt := range []struct {
		caller, fn string
		kind       schemas.Kind
		want       prove.Status
	}{
		{"panics.Guards", "panics.guarded", schemas.Index, prove.Holds},
		{"panics.Recovered", "panics.recovered", schemas.Index, prove.MayFail},
	} {
		a := assertIn(t, b, tt.fn, tt.kind)
		if got := b.cache.Known(keyOf(t, b, tt.caller)).Status(a); got != tt.want {
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
	c, b := lowered(t, prog, Options{Functions: funcs, Select: none})
	c.analyze(context.Background(), b, 0)
	a := assertIn(t, b, "panics.guarded", schemas.Index)
	if got := b.cache.Known(keyOf(t, b, "panics.Guards")).Status(a); got == prove.Holds {
		t.Error("an assertion that was not asked about is proved")
	}
}

// lowered returns a run whose functions, one batch, are lowered.
func lowered(t testing.TB, prog *source.Program, opt Options) (*checker, *batch) {
	t.Helper()
	c, err := prepare(context.Background(), prog, opt)
	if err != nil {
		t.Fatal(err)
	}
	c.tracker, _ = track(0, time.Time{}, nil)
	c.lower(c.batches[0])
	return c, c.batches[0]
}

// keyOf returns the key of a function.
func keyOf(t *testing.T, b *batch, fn string) string {
	t.Helper()
	for _, r := range b.roots {
		if r.Func.Name == fn {
			return r.Key
		}
	}
	t.Fatalf("no function %s", fn)
	return ""
}

// assertIn returns the last assertion of a kind in a function.
func assertIn(t *testing.T, b *batch, fn string, kind schemas.Kind) *ir.Assert {
	t.Helper()
	var last *ir.Assert
	for _, block := range b.testee.World.Func(keyOf(t, b, fn)).Blocks {
		for _, cmd := range block.Cmds {
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
	_, b := lowered(t, prog, Options{})
	at := map[string]int{}
	for place, i := range b.cache.Order {
		at[b.roots[i].Func.Name] = place
	}
	for _, pair := range [][2]string{{"panics.guarded", "panics.Guards"},
		{"panics.recovered", "panics.Recovered"}} {
		if at[pair[0]] >= at[pair[1]] {
			t.Errorf("%s comes at %d, after its caller %s at %d", pair[0], at[pair[0]], pair[1], at[pair[1]])
		}
	}
}

// TestQueue checks that a function is skipped while its callee is not analyzed, and that the next one is returned.
func TestQueue(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	_, b := lowered(t, prog, Options{})
	const leaf, top, other = "panics.guarded", "panics.Guards", "panics.recovered"
	index := map[string]int{}
	for i, r := range b.roots {
		index[r.Func.Name] = i
	}
	order := []int{index[leaf], index[top], index[other]}
	queue := b.cache.Queue(b.roots, order)
	next := func() string {
		t.Helper()
		i, ok := queue.Next()
		if !ok {
			return "none"
		}
		return b.roots[i].Func.Name
	}
	done := func(name string) {
		b.cache.Add(b.roots[index[name]].Key, nil)
		queue.Done(index[name])
	}
	if got := next(); got != leaf {
		t.Errorf("first %s, want %s", got, leaf)
	}
	if got := next(); got != other {
		t.Errorf("second %s, want %s", got, other)
	}
	done(other)
	time.AfterFunc(10*time.Millisecond, func() { done(leaf) })
	if got := next(); got != top {
		t.Errorf("after its callee %s, want %s", got, top)
	}
	if got := next(); got != "none" {
		t.Errorf("in the end %s, want none", got)
	}
	stopped := b.cache.Queue(b.roots, order)
	stopped.Stop()
	if i, ok := stopped.Next(); ok {
		t.Errorf("after Stop %d, want none", i)
	}
}
