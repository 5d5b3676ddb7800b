package goal

import (
	"go/types"
	"maps"
	"slices"
	"testing"

	"dsd/crash/search/carve"
	"dsd/crash/search/generate"
	"dsd/crash/search/searchtest"
	"dsd/internal/source"
	"dsd/schemas"
)

// function returns a function of a package by its name.
func function(t *testing.T, pkg *source.Package, name string) *types.Func {
	t.Helper()
	for _, f := range pkg.Funcs() {
		if f.Name == name {
			return f.Obj
		}
	}
	t.Fatalf("there is no function %s", name)
	return nil
}

func TestFindModSets(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/state")
	sets := FindModSets(prog)
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"tested/state.(*Ring).Add", []string{"keys", "size"}},
		{"tested/state.(*Ring).full", nil},
		{"tested/state.NewRing", []string{"keys", "max"}},
		{"tested/state.(*Queue).Put", []string{"items", "n"}},
	} {
		names := map[string]bool{}
		for v := range sets.Of(function(t, pkg, tt.name)).All() {
			names[v.Name()] = true
		}
		if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, tt.want) {
			t.Errorf("%s may write %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPlan checks that the candidates of a plan are well-formed and call the function last, also
// when they are mutations of candidates that came close.
func TestPlan(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/state")
	add := function(t, pkg, "tested/state.(*Ring).Add")
	ref := 0
	ring := schemas.Node{Type: "*tested/state.Ring", Ref: &ref}
	key := schemas.Node{Type: "string", Lit: `"k"`}
	goals := []Goal{{Func: add, Counterexample: &schemas.Counterexample{
		Receiver: &schemas.Input{Name: "r", Node: ring},
		Params:   []schemas.Input{{Name: "key", Node: key}},
		Objects: []schemas.Node{{Type: "tested/state.Ring", Fields: []schemas.Input{
			{Name: "size", Node: schemas.Node{Type: "int", Lit: "1"}},
		}}},
	}}}
	g, _ := carve.Graph(prog, pkg, []*types.Func{add}, nil)
	plans, out := Plans(g, goals, FindModSets(prog))
	if len(plans) != 1 || len(out) != 1 {
		t.Fatalf("got %d plans and %d goals, want one of each", len(plans), len(out))
	}
	plan := plans[0]
	if len(plan.writers) == 0 || !slices.Contains(plan.writers, plan.own) {
		t.Errorf("got writers %v, want Add among them", plan.writers)
	}
	s := generate.NewSampler(g, 1)
	literal := 0
	for i := range 5000 {
		p := plan.Draw(s)
		if len(plan.closest) == 0 && !plan.Calls(p[len(p)-1].Op) {
			t.Fatalf("candidate %d does not end with the function", i)
		}
		searchtest.CheckTypes(t, g, p)
		for _, st := range p {
			if g.Table[st.Op].Lit && st.Text == "k" {
				literal++
				break
			}
		}
		if i%100 == 99 {
			plan.Keep(p)
		}
	}
	if len(plan.closest) == 0 || len(plan.closest) > maxClosest {
		t.Errorf("%d candidates are kept, want 1 to %d", len(plan.closest), maxClosest)
	}
	if literal < 1000 {
		t.Errorf("only %d of 5000 candidates have the key of the counterexample", literal)
	}
	if got := Renumber(plans, g, map[int]int{}); len(got) != 0 {
		t.Errorf("got %d plans without their function, want none", len(got))
	}
}
