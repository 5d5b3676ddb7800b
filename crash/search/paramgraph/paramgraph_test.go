package paramgraph_test

import (
	"math/big"
	"testing"

	"dsd/crash/search/carve"
	"dsd/crash/search/searchtest"
)

// TestSize checks that the size of the graph is that of its enumeration, and that each index gives
// a different candidate.
func TestSize(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/pkg")
	g, _ := carve.Graph(prog, pkg, nil, nil)
	compared := 0
	for _, target := range g.Targets {
		for depth := 1; depth <= 3; depth++ {
			n := g.Calls(target, depth)
			if !n.IsInt64() || n.Int64() > 20_000 {
				continue
			}
			seen := map[string]bool{}
			for i := range n.Int64() {
				p := g.At(target, depth, big.NewInt(i))
				seen[string(p.Append(nil, g.Table))] = true
			}
			if int64(len(seen)) != n.Int64() {
				t.Errorf("%s, depth %d: %d different candidates, want %d",
					g.Table[target].Name, depth, len(seen), n)
			}
			compared += len(seen)
		}
	}
	if compared == 0 {
		t.Error("no candidate was enumerated")
	}
}

// TestDataDepth: arguments may be drawn as deep as what their types hold, and a type inside itself does not count.
func TestDataDepth(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/sheet")
	g, _ := carve.Graph(prog, pkg, nil, nil)
	for _, target := range g.Targets {
		// A book, its sheets, a sheet, its data, the rows, a row, its cells, a cell, a pointer, and the value.
		if got := g.DataDepth[target]; got != 10 {
			t.Errorf("%s: got depth %d, want 10", g.Table[target].Name, got)
		}
	}
	if len(g.Targets) != 1 {
		t.Errorf("got %d targets, want 1", len(g.Targets))
	}
}
