package logic

import (
	"slices"
	"testing"
)

// TestGraph checks the numbers of a graph, also in memory that another graph had before.
func TestGraph(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var(&Var{Name: "x", Sort: Int}), b.Var(&Var{Name: "y", Sort: Int, Index: 1})
	sum := b.Add(x, y)
	less, equal := b.Cmp(OpSLt, x, sum), b.Eq(sum, y)
	g := NewGraph([]*Term{less, b.Cmp(OpSLt, y, x), b.Cmp(OpULt, x, y)})
	g.Begin([]*Term{b.And(less, equal), less})
	if want := partsOf(less, equal); !slices.Equal(g.Terms, want) {
		t.Fatalf("terms %v, want %v", g.Terms, want)
	}
	for i, term := range g.Terms {
		for k, a := range g.Args[i] {
			if g.Terms[a] != term.Args[k] {
				t.Errorf("operand %d of %v is %v", k, term, g.Terms[a])
			}
			if int(a) >= i || !slices.Contains(g.Users[a], int32(i)) {
				t.Errorf("%v is used by %v, of which %d is missing", g.Terms[a], g.Users[a], i)
			}
		}
	}
	roots := []*Term{g.Terms[g.Roots[0]], g.Terms[g.Roots[1]]}
	if len(g.Roots) != 2 || !slices.Contains(roots, less) || !slices.Contains(roots, equal) {
		t.Errorf("roots %v", g.Roots)
	}
}

// partsOf returns the terms and all their parts in the order of their IDs, found in another way than by a Graph.
func partsOf(terms ...*Term) []*Term {
	var out []*Term
	for _, t := range terms {
		out = append(append(out, t), partsOf(t.Args...)...)
	}
	slices.SortFunc(out, byID)
	return slices.Compact(out)
}
