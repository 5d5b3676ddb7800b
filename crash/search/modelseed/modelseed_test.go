package modelseed

import (
	"slices"
	"testing"

	"dsd/crash/search/carve"
	"dsd/crash/search/generate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/searchtest"
	"dsd/schemas"
)

// TestDissimilar checks that behaviors with other calls are chosen first.
func TestDissimilar(t *testing.T) {
	got := dissimilar([]generate.Behavior{{1, 2}, {1, 2, 2}, {1, 3}, {4}}, 3)
	want := []generate.Behavior{{1, 2}, {4}, {1, 3}}
	if !slices.EqualFunc(got, want, slices.Equal[generate.Behavior]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestSelect checks that behaviors follow the transitions of the model.
func TestSelect(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/pkg")
	g, _ := carve.Graph(prog, pkg, nil, nil)
	const (
		create = "tested/pkg.New"
		push   = "tested/pkg.(*Bounded).Push"
		pop    = "tested/pkg.(*Bounded).Pop"
	)
	got := Select(g, &schemas.Models{Models: []schemas.Model{{
		Type: "tested/pkg.Bounded", Sequences: 1, Transitions: []schemas.Transition{
			{From: "", To: create, Count: 1}, {From: create, To: push, Count: 2},
			{From: push, To: pop, Count: 1},
		},
	}}})
	if len(got) != 1 {
		t.Fatalf("got behaviors of %d types, want one", len(got))
	}
	for n, list := range got {
		if key := paramgraph.Key(n.Type); key != "*tested/pkg.Bounded" {
			t.Errorf("got behaviors of %s, want *tested/pkg.Bounded", key)
		}
		for _, b := range list {
			for i, op := range b {
				want := []string{"New", "*Bounded.Push", "*Bounded.Pop"}[i]
				if got := g.Table[op].Name; got != want {
					t.Errorf("call %d of %v is %s, want %s", i, b, got, want)
				}
			}
		}
	}
}
