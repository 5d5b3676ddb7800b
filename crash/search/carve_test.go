package search

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// TestCarve: what tests do becomes candidates, a row of a table each, though what they import is not there.
func TestCarve(t *testing.T) {
	prog, _ := load(t)
	pkg := prog.Package("tested/carved")
	g := New(prog, pkg, nil, nil)
	var got []string
	for _, p := range programs(g.seeds, g.Table) {
		test, err := p.WriteTest(pkg.Types, g.Table, "TestX", "")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.ReplaceAll(strings.TrimSpace(test.Body), "\n\t", "; "))
	}
	want := []string{
		`d, _ := Open("doc: a text"); d.Mark("a", 3); d.Between("a", "b")`,
		`d, _ := Open("doc: a text"); d.Mark("x", -1)`,
		`d := With(func(d *Doc) { d.Title = "x"; d.marks["m"] = 1 }); d.Title = "doc: y"; Join("-", 1.5, map[string]int{"a": 1}); d.Between("m", "m")`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// cutFrames are the stack of a crash in cut.
func cutFrames(pkg *source.Package) []stacktrace.Located {
	var out []stacktrace.Located
	for _, w := range []struct {
		name string
		line int
		args string
	}{{"tested/carved.cut", 28, "{0x1, 0xb}, 0x3, 0x0"}, {"tested/carved.(*Doc).Between", 25, "0x0?, {0x1, 0x1}, {0x2, 0x1}"}} {
		for _, f := range pkg.Funcs() {
			if f.Name == w.name {
				out = append(out, stacktrace.Located{Frame: stacktrace.Frame{Func: w.name, Args: w.args}, Pos: symbol.Pos{File: "carved/carved.go", Line: w.line}, Fn: f})
			}
		}
	}
	return out
}

// TestSearch: a wanted crash is found through its outermost function, with each seeding, and made small.
func TestSearch(t *testing.T) {
	prog, _ := load(t)
	pkg := prog.Package("tested/carved")
	s, err := NewSearcher(context.Background(), prog, pkg, &StackTrace{Kind: "slice-bounds", Frames: cutFrames(pkg), Literals: []string{"3"}}, nil)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	defer s.Close()
	if s.Levels() != 2 {
		t.Fatalf("%d levels", s.Levels())
	}
	models := &schemas.Models{Models: []schemas.Model{{Type: "tested/carved.Doc", Sequences: 1, Transitions: []schemas.Transition{
		{From: "", To: "tested/carved.Open", Count: 1}, {From: "tested/carved.(*Doc).Mark", To: "tested/carved.(*Doc).Between", Count: 1}, {From: "tested/carved.Open", To: "tested/carved.(*Doc).Mark", Count: 2}}}}}
	for _, opt := range []EvolveOptions{
		{Tests: true, Values: true, Evolve: true},
		{Values: true, Evolve: true},
		{Values: true, Evolve: true, Models: models},
	} {
		opt.Seed, opt.Above, opt.Until = 1, 1, time.Now().Add(30*time.Second)
		found, err := s.Search(context.Background(), opt)
		if err != nil || found.Crash == nil || found.Level != 2 {
			t.Fatalf("%+v: %+v, %v", opt, found, err)
		}
		test, err := found.Crash.Program.WriteTest(pkg.Types, s.Graph().Table, "TestX", "")
		if err != nil {
			t.Fatal(err)
		}
		if body := test.Body; !strings.HasSuffix(body, ")") || strings.Count(body, "\n") > 3 || !strings.Contains(body, ".Between(") {
			t.Errorf("%+v: %s", opt, body)
		}
	}
	// What is missing of a candidate that does not come so far.
	frame, missing, ok := s.Unmet(6)
	if !ok || frame.Func != "tested/carved.(*Doc).Between" || strings.Join(missing, "; ") != `strings.HasPrefix(d.Title, "doc:"); control comes to line 25` {
		t.Errorf("%v lacks %q, %v", frame.Func, missing, ok)
	}
}

// TestReproduces: which stacks have how many frames in common.
func TestReproduces(t *testing.T) {
	w := &StackTrace{Kind: "index", Frames: []stacktrace.Located{
		{Frame: stacktrace.Frame{Func: "m.F[...].func1"}, Pos: symbol.Pos{File: "m.go", Line: 5}},
		{Frame: stacktrace.Frame{Func: "m.G"}, Pos: symbol.Pos{File: "m.go", Line: 9}},
		{Frame: stacktrace.Frame{Func: "m.H"}},
	}}
	frames := func(list ...string) (out []schemas.Frame) {
		for _, l := range list {
			fn, pos, _ := strings.Cut(l, "@")
			out = append(out, schemas.Frame{Func: fn, Pos: pos})
		}
		return out
	}
	for _, tt := range []struct {
		kind   string
		frames []schemas.Frame
		level  int
		near   bool // of the wanted stack
	}{
		{"index", frames("m.F[go.shape.int].func1@m.go:5", "m.G@m.go:9", "m.H@m.go:70", "m.Test@t.go:1"), 3, true},
		{"index", frames("m.inlined.func1@m.go:5", "m.G@m.go:10"), 2, true},
		{"index", frames("m.F[...].func1@m.go:6", "m.G@m.go:9"), 0, true},
		{"div-zero", frames("m.F[...].func1@m.go:5"), 0, true},
		{"index", frames("m.F[...].func1@m.go:5", "m.H@m.go:9"), 2, true}, // at the line of the second
		{"index", frames("n.X@n.go:5"), 0, false},
		{"index", nil, 0, false},
	} {
		if got := w.MatchedFrames(schemas.Kind(tt.kind), tt.frames); got != tt.level {
			t.Errorf("%v: %d frames in common, not %d", tt.frames, got, tt.level)
		}
		if d := w.stackDistance(tt.frames); d < 0 || d > 1 || (d < 0.9) != tt.near {
			t.Errorf("%v: the distance is %v", tt.frames, d)
		}
	}
}

// TestDissimilar: behaviours with other calls are chosen first.
func TestDissimilar(t *testing.T) {
	got := dissimilar([]behaviour{{1, 2}, {1, 2, 2}, {1, 3}, {4}}, 3)
	want := []behaviour{{1, 2}, {4}, {1, 3}}
	if !slices.EqualFunc(got, want, slices.Equal[behaviour]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPopulation: the fittest stay, the shorter of equals, and no more than a third of them equal.
func TestPopulation(t *testing.T) {
	var p population
	for i := range 300 {
		p.insert([]individual{{prog: make(candidate.Program, 1+i%7), fitness: 4}, {prog: make(candidate.Program, 2), fitness: 5 - float64(i)/100}})
	}
	if len(p.list) != populationSize || p.best() > 2.02 {
		t.Fatalf("%d individuals, the best %v", len(p.list), p.best())
	}
	same := 0
	for i, x := range p.list {
		if i > 0 && x.fitness < p.list[i-1].fitness {
			t.Fatal("not sorted")
		}
		if x.fitness == 4 {
			same++
		}
	}
	if same > maxEqual {
		t.Errorf("%d are equal", same)
	}
}
