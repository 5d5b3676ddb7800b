package evolve

import (
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/carve"
	"dsd/crash/search/generate"
	"dsd/crash/search/searchtest"
)

// TestOperators checks that the genetic operators return well-formed candidates that call a
// function on the stack, and that they do not change the population.
func TestOperators(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/pkg")
	g, _ := carve.Graph(prog, pkg, nil, nil)
	o := &operators{s: generate.NewSampler(g, 1), isCrashOp: map[int]bool{}}
	for i, op := range g.Table {
		if op.Name == "*Bounded.Push" || op.Name == "*Bounded.Pop" {
			o.crashOps = append(o.crashOps, i)
			o.isCrashOp[i] = true
		}
	}
	if len(o.crashOps) != 2 {
		t.Fatalf("got %d operations on the stack, want Push and Pop", len(o.crashOps))
	}
	var pop population
	check := func(what string, p candidate.Program) {
		t.Helper()
		searchtest.CheckTypes(t, g, p)
		if !o.callsStack(p) {
			t.Fatalf("%s: %v calls no function on the stack", what, p)
		}
	}
	for i := range 200 {
		p := o.initial()
		check("initial", p)
		pop.insert([]individual{{prog: p, fitness: float64(i % 50)}})
	}
	encode := func() (out []byte) {
		for _, x := range pop.list {
			out = x.prog.Append(out, g.Table)
		}
		return out
	}
	before := string(encode())
	joined := 0
	for range 5000 {
		p, q := o.parent(&pop), o.parent(&pop)
		x := o.crossover(p, q)
		check("crossover", x)
		if len(x) > len(p) && len(x) > len(q) {
			joined++
		}
		check("mutation", o.mutate(p))
		check("offspring", o.offspring(&pop))
	}
	if joined == 0 {
		t.Error("no crossover is longer than both parents")
	}
	if string(encode()) != before {
		t.Error("an operator changes the candidates of the population")
	}
}
