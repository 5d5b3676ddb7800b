package campaign

import (
	"strings"
	"testing"
	"time"

	"dsd/crash/search/goal"
	"dsd/crash/search/searchtest"
	"dsd/schemas"
)

// TestGoal checks that objects which satisfy a counterexample are composed by calls [STAR 4.5.1].
func TestGoal(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/state")
	g := goal.Goal{Kind: "index", Line: "state/state.go:32"}
	for _, f := range pkg.Funcs() {
		if f.Name == "tested/state.(*Keyed).Put" {
			g.Func = f.Obj
		}
	}
	input := func(name string, n schemas.Node) schemas.Input {
		return schemas.Input{Name: name, Node: n}
	}
	number := func(name, lit string) schemas.Input {
		return input(name, schemas.Node{Type: "int", Lit: lit})
	}
	receiver := input("k", schemas.Node{Type: "*tested/state.Keyed", Ref: ptr(0)})
	g.Counterexample = &schemas.Counterexample{
		Receiver: &receiver,
		Params:   []schemas.Input{input("key", schemas.Node{Type: "string", Lit: `"k"`})},
		Objects: []schemas.Node{
			{Type: "tested/state.Keyed", Fields: []schemas.Input{
				input("ring", schemas.Node{
					Type: "*tested/state.Ring", Ref: ptr(1),
				}),
			}},
			{Type: "tested/state.Ring", Fields: []schemas.Input{
				input("keys", schemas.Node{
					Type: "[]string", Ref: ptr(2), Len: ptr(int64(1)),
				}),
				number("size", "1"), number("max", "2"),
			}},
			{Type: "[]string"},
		},
	}
	res := runCampaign(t, prog, pkg, Options{
		Candidates: 20_000, All: true,
		Goals: []goal.Goal{g}, ModSets: goal.FindModSets(prog),
	})
	if len(res.Crashes) != 1 {
		t.Fatalf("%d crashes, want only the goal", len(res.Crashes))
	}
	x := res.Crashes[0]
	if x.Fabricated || !x.Goal {
		t.Errorf("got fabricated %v, goal %v, want false, true", x.Fabricated, x.Goal)
	}
	test, err := x.Program.WriteTest(pkg, res.Graph.Table, "TestX", "TestX panics.", false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(test.Body, "NewKeyed(") || strings.Contains(test.Body, "Keyed{") {
		t.Errorf("the object is not made by calls:\n%s", test.Body)
	}
	if res.Stats.Candidates >= 20_000 {
		t.Errorf("did not end at the goal: %d candidates", res.Stats.Candidates)
	}
}

func ptr[T any](v T) *T { return &v }

// TestProcessor checks that a search ends when its candidates have used their processor time, and says so.
func TestProcessor(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/state")
	for _, tt := range []struct {
		processor time.Duration
		cut       bool
	}{{0, false}, {time.Hour, false}, {time.Nanosecond, true}} {
		res := runCampaign(t, prog, pkg, Options{Candidates: 5000, Processor: tt.processor})
		if all := res.Stats.Candidates >= 5000; res.Cut != tt.cut || all == tt.cut {
			t.Errorf("%v: cut %v after %d candidates, want cut %v", tt.processor, res.Cut, res.Stats.Candidates, tt.cut)
		}
	}
}
