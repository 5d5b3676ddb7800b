package search

import (
	"context"
	"dsd/crash/confine"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

func load(tb testing.TB) (*source.Program, *source.Package) {
	tb.Helper()
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return prog, prog.Package("tested/pkg")
}

// TestFinds: the crashes of the test package are found, each by a test as short as can be.
func TestFinds(t *testing.T) {
	prog, pkg := load(t)
	res, err := Run(context.Background(), prog, pkg, Options{Time: 20 * time.Second, Candidates: 300_000, Seed: 1, Reset: candidate.ResetReinit, All: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, x := range res.Crashes {
		if x.NilArgument {
			continue
		}
		test, err := x.Program.WriteTest(pkg.Types, res.Graph.Table, "TestX", "TestX panics.")
		if err != nil {
			t.Fatal(err)
		}
		got[symbol.Short(x.Frames[0].Func)+" "+string(x.Kind)] = strings.ReplaceAll(strings.TrimSpace(test.Body), "\n\t", "; ")
	}
	for what, want := range map[string]string{
		"pkg.(*Bounded).Push index":           "b := New(); b.Pop(); b.Push(0)",
		"pkg.Weigh div-zero":                  "Weigh(0)",
		"pkg.Magic explicit-panic":            `Magic("open sesame")`,
		"pkg.(*Tree[...]).Leftmost nil-deref": "t := &Tree[int]{}; t.Leftmost()",
		"pkg.Sum index":                       "Sum([]int{0}, Twice)",
		"pkg.Endless stack-overflow":          "Endless(0)",
	} {
		if got[what] != want {
			t.Errorf("%s: got %q, want %q", what, got[what], want)
		}
		delete(got, what)
	}
	for what, body := range got {
		t.Errorf("not expected: %s: %s", what, body)
	}
	t.Logf("%+v", res.Stats)
}

// TestJudges: of a crash it is known whether the calls met what was inferred of their inputs.
func TestJudges(t *testing.T) {
	prog, pkg := load(t)
	pre := instrument.Preconditions{
		"tested/pkg.Weigh":           {"k != 0", "k > -100"},
		"tested/pkg.Sum":             {"len(list) >= 1", "implies(op == Twice, len(list) >= 1)", "nonsense == 3"},
		"tested/pkg.(*Bounded).Push": {"b != nil", "b.size <= 4"},
		"tested/pkg.(*Bounded).Pop":  {"b.size >= 1"},
		"tested/pkg.New":             {"true"},
	}
	res, err := Run(context.Background(), prog, pkg, Options{Time: 20 * time.Second, Candidates: 50_000, Seed: 1, Reset: candidate.ResetReinit, Preconditions: pre})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][3]int{}
	for _, x := range res.Crashes {
		got[x.Target.Name()] = [3]int{x.Called, x.PreChecked, x.PreHeld}
	}
	for name, want := range map[string][3]int{"Weigh": {1, 1, 0}, "Sum": {1, 1, 1}, "Push": {3, 3, 2}, "Leftmost": {1, 0, 0}} {
		if got[name] != want {
			t.Errorf("%s: called, judged, met are %v, want %v", name, got[name], want)
		}
	}
}

// TestSize: the size of the graph is that of its enumeration, and each index gives another candidate.
func TestSize(t *testing.T) {
	prog, pkg := load(t)
	g := New(prog, pkg, nil, nil)
	for _, target := range g.Targets {
		for depth := 1; depth <= 3; depth++ {
			n := g.Candidates(target, depth)
			if !n.IsInt64() || n.Int64() > 20_000 {
				continue
			}
			seen := map[string]bool{}
			for i := range n.Int64() {
				p := g.At(target, depth, big.NewInt(i))
				seen[string(p.Append(nil, g.Table))] = true
			}
			if int64(len(seen)) != n.Int64() {
				t.Errorf("%s, depth %d: %d different candidates, want %d", g.Table[target].Name, depth, len(seen), n)
			}
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	prog, pkg := load(b)
	s := newSampler(New(prog, pkg, nil, nil), 1)
	for b.Loop() {
		s.candidate()
	}
}

// TestObserved: arguments are what a trace shows more often than others.
func TestObserved(t *testing.T) {
	prog, pkg := load(t)
	trace, err := os.Open(filepath.Join("testdata", "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	r, err := schemas.NewTraceReader(trace, "trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	observed, err := Observe(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := observed["tested/pkg.Weigh"]["k"]; !slices.Equal(got, []string{"17", "0"}) {
		t.Errorf("observed of k: %q", got)
	}
	g := New(prog, pkg, nil, observed)
	for i, o := range g.Table {
		if o.Name != "Weigh" {
			continue
		}
		if got := g.usual[i][0]; len(got) < 2 || got[0].bits != 17 || got[1].bits != 0 {
			t.Errorf("usual values of k: %v", got)
		}
	}
}
