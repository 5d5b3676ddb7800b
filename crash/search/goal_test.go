package search

import (
	"context"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate"
	"dsd/schemas"
)

func ptr[T any](v T) *T { return &v }

// TestGoal: objects that meet a counterexample are composed by calls [STAR 4.5.1].
func TestGoal(t *testing.T) {
	prog, _ := load(t)
	pkg := prog.Package("tested/aim")
	var goal Goal
	for _, f := range pkg.Funcs() {
		if f.Name == "tested/aim.(*Keyed).Put" {
			goal.Func = f.Obj
		}
	}
	num := func(name, lit string) schemas.Input {
		return schemas.Input{Name: name, Node: schemas.Node{Type: "int", Lit: lit}}
	}
	goal.Kind, goal.Line = "index", "aim/aim.go:32"
	goal.Counterexample = &schemas.Counterexample{
		Receiver: &schemas.Input{Name: "k", Node: schemas.Node{Type: "*tested/aim.Keyed", Ref: ptr(0)}},
		Params:   []schemas.Input{{Name: "key", Node: schemas.Node{Type: "string", Lit: `"k"`}}},
		Objects: []schemas.Node{
			{Type: "tested/aim.Keyed", Fields: []schemas.Input{{Name: "ring", Node: schemas.Node{Type: "*tested/aim.Ring", Ref: ptr(1)}}}},
			{Type: "tested/aim.Ring", Fields: []schemas.Input{
				{Name: "keys", Node: schemas.Node{Type: "[]string", Ref: ptr(2), Len: ptr(int64(1))}}, num("size", "1"), num("max", "2")}},
			{Type: "[]string"},
		},
	}
	res, err := Run(context.Background(), prog, pkg, Options{Time: 20 * time.Second, Candidates: 20_000, Seed: 1, Reset: candidate.ResetReinit, All: true, Goals: []Goal{goal}, ModSets: FindModSets(prog)})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Crashes) != 1 {
		t.Fatalf("%d crashes, want the one that was looked for", len(res.Crashes))
	}
	x := res.Crashes[0]
	if x.Fabricated || !x.Goal {
		t.Errorf("fabricated %v, the goal %v", x.Fabricated, x.Goal)
	}
	test, err := x.Program.WriteTest(pkg.Types, res.Graph.Table, "TestX", "TestX panics.")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(test.Body, "NewKeyed(") || strings.Contains(test.Body, "Keyed{") {
		t.Errorf("not made by calls:\n%s", test.Body)
	}
	if res.Stats.Candidates >= 20_000 {
		t.Errorf("it did not end when the goal was reached: %d candidates", res.Stats.Candidates)
	}
}

// TestInputs: interfaces that nothing implements get a stub, structs with many fields have them set one by one, and what
// needs many calls gets them, written as a loop.
func TestInputs(t *testing.T) {
	prog, _ := load(t)
	pkg := prog.Package("tested/aim")
	res, err := Run(context.Background(), prog, pkg, Options{Time: 20 * time.Second, Candidates: 100_000, Seed: 1, Reset: candidate.ResetReinit, All: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, x := range res.Crashes {
		test, err := x.Program.WriteTest(pkg.Types, res.Graph.Table, "TestX", "TestX panics.")
		if err != nil {
			t.Fatal(err)
		}
		if !x.NilArgument {
			got[x.Frames[0].Func+" "+string(x.Kind)] = test.Source
		}
	}
	for what, want := range map[string]string{
		"tested/aim.Angle div-zero":          "Angle(xShapeStub{})",
		"tested/aim.Apply index":             "o.Strict = true",
		"tested/aim.Any div-zero":            "func(int) bool { return true }",
		"tested/aim.Walk div-zero":           "func() (int, error) { return 3, nil }",
		"tested/aim.Set.Share div-zero":      "s2 := *s s2.Share(\"\")",
		"tested/aim.Room div-zero":           "Room((<-chan int)(make(chan int, 1)))",
		"tested/aim.Handler.Handle div-zero": "h := Handler(func(int) int { return 0 }) h.Handle(0)",
		"tested/aim.(*Queue).Put index":      "for i := 0; i < 41; i++ {\n\t\tq.Put(0)\n\t}",
	} {
		text := strings.Join(strings.Fields(got[what]), " ")
		if !strings.Contains(text, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%s: want %q in:\n%s", what, want, got[what])
		}
	}
	if want := "func (s xShapeStub) Name() (string, error) { return s.name_1, s.name_2 }"; !strings.Contains(got["tested/aim.Angle div-zero"], want) {
		t.Errorf("want %q in:\n%s", want, got["tested/aim.Angle div-zero"])
	}
}
