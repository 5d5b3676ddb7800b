package reproduce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/origin"
	"dsd/crash/stack"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

var dir = filepath.Join("testdata", "mod")

const sum = `panic: runtime error: index out of range [2] with length 2

goroutine 1 [running]:
example.com/m.(*Ring).At(...)
	/build/m/m.go:9
example.com/m.(*Ring).Sum(0xc000012345, 0x3)
	/build/m/m.go:14 +0x1d
main.main()
	/build/main.go:3 +0x1d
`

const must = `panic: unlucky

goroutine 1 [running]:
example.com/m.Must(0x1?)
	/build/m/m.go:21 +0x1d
main.main()
	/build/main.go:3 +0x1d
`

// TestRun: the search finds a test with both frames of the module in common.
func TestRun(t *testing.T) {
	tests := t.TempDir()
	doc, err := Run(context.Background(), dir, stack.Parse(sum), Options{
		Timeout: 20 * time.Second, Jobs: 1, Seed: 1, Tests: tests,
		Strategies: []schemas.Strategy{schemas.StrategyValues, schemas.StrategySearch},
		Seeding:    SeedNone,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Crashes) != 1 {
		t.Fatalf("got %+v, want one crash", doc.Reproduction)
	}
	c := doc.Crashes[0]
	if c.ID != "C1" || c.Func != "example.com/m.(*Ring).Sum" || c.Kind != "index" ||
		c.Pos != "m.go:9" || c.Level != 2 ||
		c.BuiltBy != schemas.BySequence {
		t.Errorf("got %+v", c)
	}
	text, err := os.ReadFile(filepath.Join(tests, "crash_ring_sum_index_test.go"))
	if err != nil || string(text) != c.Test.Source {
		t.Errorf("the written test is %q, %v, want %q", text, err, c.Test.Source)
	}
}

const merge = `panic: assignment to entry in nil map

goroutine 93 [running]:
example.com/m.Limits.Merge(0xc000b59d70?, 0xc0014ea500?)
	/build/m/limits.go:13 +0x108
main.main()
	/build/main.go:3 +0x1d
`

// TestNilMap: the search tries a nil map as a receiver, although the only constructor returns a map that is not nil, and
// although the traceback has a non-zero word for it, which may be stale.
func TestNilMap(t *testing.T) {
	doc, err := Run(context.Background(), dir, stack.Parse(merge), Options{
		Timeout: 20 * time.Second, Jobs: 1, Seed: 1, Seeding: SeedNone,
		Strategies: []schemas.Strategy{schemas.StrategyValues, schemas.StrategySearch},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Crashes) != 1 || doc.Crashes[0].BuiltBy != schemas.BySequence || doc.Crashes[0].Sameness != schemas.Identical {
		t.Fatalf("got %+v, want one crash like the panic", doc.Crashes)
	}
}

// TestSolve: the search cannot guess a number, which the solver answers.
func TestSolve(t *testing.T) {
	var asked []string
	solve := func(_ context.Context, _ *source.Program, kind schemas.Kind,
		frames []stacktrace.Located,
		_ map[string]int64) (*schemas.Warnings, error) {
		asked = append(asked, fmt.Sprintf("%s %d %s", kind, len(frames), frames[0].Fn.Name))
		return &schemas.Warnings{Warnings: []schemas.Warning{{
			ID: "W1", Func: "example.com/m.Must", Kind: kind, Pos: "m.go:21",
			Counterexample: &schemas.Counterexample{
				Params: []schemas.Input{{Name: "n",
					Node: schemas.Node{Type: "int", Lit: "123456789"}}},
			},
		}}}, nil
	}
	doc, err := Run(context.Background(), dir, stack.Parse(must), Options{
		Timeout: 20 * time.Second, Jobs: 1,
		Strategies: []schemas.Strategy{schemas.StrategySolve}, Solve: solve,
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"explicit-panic 1 example.com/m.Must"}; !slices.Equal(asked, want) {
		t.Errorf("asked the solver %q, want %q", asked, want)
	}
	if len(doc.Crashes) != 1 || doc.Crashes[0].Strategy != schemas.StrategySolve ||
		doc.Crashes[0].Level != 1 {
		t.Errorf("got crashes %+v, want one by %s", doc.Crashes, schemas.StrategySolve)
	}
	searches := doc.Reproduction.Searches
	if len(searches) != 1 || searches[0].Strategy != schemas.StrategySolve ||
		searches[0].Level != 1 {
		t.Errorf("got searches %+v", searches)
	}
}

// TestRunPartial: without a crash, the document has the best candidate and what it does not meet.
func TestRunPartial(t *testing.T) {
	p := stack.Parse(strings.Replace(must, "unlucky", "assignment to entry in nil map", 1))
	doc, err := Run(context.Background(), dir, p, Options{
		Timeout: 6 * time.Second, Jobs: 1,
		Strategies: []schemas.Strategy{schemas.StrategyValues}, Seeding: SeedNone,
	})
	if err != nil {
		t.Fatal(err)
	}
	partial := doc.Reproduction.Partial
	if len(doc.Crashes) > 0 || partial == nil || partial.Func != "example.com/m.Must" ||
		!strings.Contains(partial.Inputs, "Must(") {
		t.Errorf("got crashes %+v, partial %+v", doc.Crashes, partial)
	}
}

func TestRunElsewhere(t *testing.T) {
	p := stack.Parse("panic: x\n\ngoroutine 1 [running]:\nexample.org/x.F()\n\t/x.go:3 +0x1\n")
	_, err := Run(context.Background(), dir, p, Options{})
	if !errors.Is(err, origin.ErrNotInBuild) {
		t.Errorf("got error %v, want %v", err, origin.ErrNotInBuild)
	}
}

func TestSchedule(t *testing.T) {
	a := &source.Package{Path: "outer"}
	b := &source.Package{Path: "mid"}
	c := &source.Package{Path: "inner"}
	for _, tt := range []struct {
		packages        []*source.Package
		worker, workers int
		want            string
	}{
		{nil, 0, 1, ""},
		{[]*source.Package{a}, 0, 1, "outer 0.2; outer 0.6 outermost; outer 1"},
		{[]*source.Package{a, b, c}, 0, 1, "inner 0.2; outer 0.6 outermost; outer 1"},
		{[]*source.Package{a, b, c}, 0, 2, "outer 0.5 outermost; outer 1"},
		{[]*source.Package{a}, 1, 2, "outer 1"},
		{[]*source.Package{a, c}, 1, 2, "inner 0.4; outer 1"},
		{[]*source.Package{a, b, c}, 1, 2, "inner 0.4; mid 0.6; outer 1"},
	} {
		var got []string
		for _, p := range schedule(tt.packages, tt.worker, tt.workers) {
			s := fmt.Sprintf("%s %.3g", p.pkg.Path, p.until)
			if p.outermost {
				s += " outermost"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%d packages, worker %d of %d: got %q, want %q", len(tt.packages),
				tt.worker, tt.workers, s, tt.want)
		}
	}
}

func TestBetter(t *testing.T) {
	// From worst to best. Of equal ones, none is better.
	order := [][]schemas.Crash{
		{{Level: 3, BuiltBy: schemas.BySequence, Sameness: schemas.OtherCause}},
		{{Level: 1, BuiltBy: schemas.ByLiteral}, {Level: 1, BuiltBy: schemas.BySequence, Flaky: true}},
		{{Level: 1, BuiltBy: schemas.BySequence}},
		{{Level: 2, BuiltBy: schemas.ByLiteral}, {Level: 2, BuiltBy: schemas.BySequence, Flaky: true}},
		{{Level: 2, BuiltBy: schemas.BySequence}},
		{{Level: 2, BuiltBy: schemas.BySequence, Sameness: schemas.OtherValues}},
		{{Level: 2, BuiltBy: schemas.BySequence, Sameness: schemas.Identical}},
	}
	for i, as := range order {
		for j, bs := range order {
			for _, a := range as {
				for _, b := range bs {
					if got := better(&a, &b); got != (i > j) {
						t.Errorf("better(%+v, %+v) = %v", a, b, got)
					}
				}
			}
		}
	}
}

// TestLevel: an unreliable crash, and one that is not the panic itself, counts as one frame less, so that the search
// goes on; for other values, not for long.
func TestLevel(t *testing.T) {
	r := &reproduction{start: time.Now().Add(-10 * time.Second)}
	if got := r.level(); got != 0 || r.reached(0) {
		t.Errorf("without a crash: got level %d, reached %v", got, r.reached(0))
	}
	r.best = &schemas.Crash{Level: 2, BuiltBy: schemas.ByLiteral}
	if got := r.level(); got != 1 || r.reached(2) {
		t.Errorf("literal: got level %d, reached %v", got, r.reached(2))
	}
	r.best.BuiltBy, r.best.Sameness = schemas.BySequence, schemas.OtherCause
	if got := r.level(); got != 1 || r.reached(2) {
		t.Errorf("other cause: got level %d, reached %v", got, r.reached(2))
	}
	r.best.Sameness, r.best.FoundAfter = schemas.OtherValues, 5
	if got := r.level(); got != 1 || r.reached(2) {
		t.Errorf("other values: got level %d, reached %v", got, r.reached(2))
	}
	r.best.FoundAfter = 3
	if !r.reached(2) {
		t.Error("other values: not reached after twice the time")
	}
	r.best.Sameness = schemas.Identical
	if got := r.level(); got != 2 || !r.reached(2) || r.reached(3) {
		t.Errorf("sequence: got level %d, reached %v, %v", got, r.reached(2), r.reached(3))
	}
}

func TestUses(t *testing.T) {
	solver := func(context.Context, *source.Program, schemas.Kind, []stacktrace.Located,
		map[string]int64) (*schemas.Warnings, error) {
		return nil, nil
	}
	for _, tt := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "values search"},
		{Options{Solve: solver}, "values search solve"},
		{Options{Solve: solver, Strategies: []schemas.Strategy{schemas.StrategySearch}}, "search"},
		{Options{Strategies: []schemas.Strategy{schemas.StrategySolve}}, ""},
	} {
		var got []string
		for _, s := range Strategies {
			if r := (&reproduction{opt: tt.opt}); r.uses(s) {
				got = append(got, string(s))
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%v: got %q, want %q", tt.opt.Strategies, s, tt.want)
		}
	}
}

func TestSeeding(t *testing.T) {
	for seeding, want := range map[Seeding][2]bool{
		"": {true, true}, SeedAll: {true, true}, SeedTests: {true, false},
		SeedModels: {false, true}, SeedNone: {},
	} {
		if got := [2]bool{seeding.tests(), seeding.models()}; got != want {
			t.Errorf("%q: got tests, models %v, want %v", seeding, got, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	var ce schemas.Counterexample
	err := json.Unmarshal([]byte(`{
		"receiver": {"fields": [{"name": "n", "lit": "1"}]},
		"params": [{"lit": "\"s\""}, {"elems": [
			{"index": 0, "value": {"type": "uint8", "lit": "104"}},
			{"index": 1, "value": {"type": "uint8", "lit": "105"}},
			{"index": 3, "value": {"type": "uint8", "lit": "0"}}]}],
		"objects": [{"dynamic": {"type": "int", "lit": "2"}}]
	}`), &ce)
	if err != nil {
		t.Fatal(err)
	}
	got := literals(&ce)
	want := []string{"1", `"s"`, `"hi"`, "104", "105", "0", "2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHeld: function literals that package-level variables hold are called through these.
func TestHeld(t *testing.T) {
	for _, c := range []struct{ message, fn, args, line, want string }{
		{"runtime error: index out of range [0] with length 0", "init.func1", "{0x0?, 0x0?, 0x0?}", "12", "root.run("},
		{"runtime error: index out of range [1] with length 0", "init.func2", "{0x0?, 0x0?, 0x0?}", "17", "table[1].run("},
		{"strings: negative Repeat count", "init.func3", "{0x0?, 0x0?}, 0x0?", "23", `Funcs["repeat"].(func(s string, n int) string)(`},
		{"runtime error: index out of range [-1]", "init.func4", "{0x0?, 0x0?}", "25",
			`Funcs["nested"].(map[string]any)["last"].(func(s string) byte)(""`},
		{"runtime error: index out of range [-1]", "glob..func9", "...", "25", `Funcs["nested"]`}, // as older compilers name it
	} {
		text := fmt.Sprintf("panic: %s\n\ngoroutine 1 [running]:\nexample.com/held.%s(%s)\n\t/build/held/held.go:%s +0x1d\n",
			c.message, c.fn, c.args, c.line)
		doc, err := Run(t.Context(), filepath.Join("testdata", "held"), stack.Parse(text), Options{
			Timeout: 20 * time.Second, Jobs: 1, Seed: 1, Strategies: []schemas.Strategy{schemas.StrategySearch}, Seeding: SeedNone,
		})
		if err != nil {
			t.Errorf("%s: %v", c.fn, err)
			continue
		}
		if len(doc.Crashes) != 1 || !strings.Contains(doc.Crashes[0].Inputs, c.want) {
			t.Errorf("%s: got %+v, want a call of %s", c.fn, doc.Crashes, c.want)
		}
	}
}
