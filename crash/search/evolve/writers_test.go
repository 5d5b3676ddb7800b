package evolve

import (
	"context"
	"slices"
	"strings"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/generate"
	"dsd/crash/search/searchtest"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
)

// TestWriters: what a condition reads, itself or by a method, and what the panic's line reads, is written by candidates
// more often than other fields.
func TestWriters(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/plan")
	trace := &StackTrace{Kind: "div-zero"}
	for _, f := range pkg.Funcs() {
		if f.Name == "tested/plan.(*Plan).Next" {
			trace.Frames = []stacktrace.Located{{
				Frame: stacktrace.Frame{Func: f.Name}, Pos: symbol.Pos{File: "plan/plan.go", Line: 31}, Fn: f,
			}}
		}
	}
	s, err := NewSearcher(context.Background(), prog, pkg, trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var names []string
	for _, op := range s.writers {
		names = append(names, strings.TrimPrefix(s.g.Table[op].Name, "*Plan."))
	}
	slices.Sort(names)
	const want = "At Every Reset finish"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the writers are %s, want %s", got, want)
	}
	// New candidates and mutations call them more often than they would by chance.
	count := func(writers []int, draw func(o *operators) candidate.Program) (n int) {
		o := newTestOperators(s, writers)
		for range 2000 {
			for _, st := range draw(o) {
				if slices.Contains(s.writers, st.Op) {
					n++
				}
			}
		}
		return n
	}
	first := newTestOperators(s, nil).withStackCall(nil)
	for what, draw := range map[string]func(o *operators) candidate.Program{
		"new candidates": (*operators).initial,
		"mutations":      func(o *operators) candidate.Program { return o.mutate(first) },
	} {
		with, without := count(s.writers, draw), count(nil, draw)
		if with < without+100 {
			t.Errorf("2000 %s have %d calls of writers, %d by chance", what, with, without)
		}
	}
}

// newTestOperators returns the operators of a searcher, which know some writers.
func newTestOperators(s *Searcher, writers []int) *operators {
	o := &operators{
		s: generate.NewSampler(s.g, 1), crashOps: s.crashOps, isCrashOp: map[int]bool{}, writers: writers,
	}
	for _, op := range s.crashOps {
		o.isCrashOp[op] = true
	}
	return o
}

// TestWithWriter: a writer is called right before the function on the stack, on an object that it is called on.
func TestWithWriter(t *testing.T) {
	s, _ := newSearcher(t, "slice-bounds")
	if len(s.writers) == 0 {
		t.Fatal("no writers")
	}
	o := newTestOperators(s, s.writers)
	p := o.withStackCall(nil)
	for len(p) < 3 { // cut takes no document
		p = o.withStackCall(nil)
	}
	more := 0
	for range 1000 {
		q := o.withWriter(p)
		searchtest.CheckTypes(t, s.g, q)
		if !o.callsStack(q) {
			t.Fatalf("%v calls no function on the stack", q)
		}
		if len(q) > len(p) {
			more++
		}
	}
	if more < 60 || more > 200 {
		t.Errorf("%d of 1000 candidates call a writer, want one in %d", more, writerOf)
	}
}
