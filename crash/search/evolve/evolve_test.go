package evolve

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/searchtest"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init() // the harness runs this binary again, confined
	os.Exit(m.Run())
}

// newSearcher returns a searcher for a crash of a kind in function cut of the test module.
func newSearcher(tb testing.TB, kind schemas.Kind) (*Searcher, *source.Package) {
	tb.Helper()
	prog, pkg := searchtest.Load(tb, "tested/carved")
	trace := &StackTrace{Kind: kind, Literals: []string{"3"}}
	for _, w := range []struct {
		name string
		line int
		args string
	}{
		{"tested/carved.cut", 29, "{0x1, 0xb}, 0x3, 0x0"},
		{"tested/carved.(*Doc).Between", 26, "0x0?, {0x1, 0x1}, {0x2, 0x1}"},
	} {
		for _, f := range pkg.Funcs() {
			if f.Name == w.name {
				trace.Frames = append(trace.Frames, stacktrace.Located{
					Frame: stacktrace.Frame{Func: w.name, Args: w.args},
					Pos:   symbol.Pos{File: "carved/carved.go", Line: w.line},
					Fn:    f,
				})
			}
		}
	}
	s, err := NewSearcher(context.Background(), prog, pkg, trace, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s, pkg
}

// TestSearch checks that the crash is found through its outermost function, with each kind of
// seeds, and that its candidate is small.
func TestSearch(t *testing.T) {
	s, pkg := newSearcher(t, "slice-bounds")
	if s.Levels() != 2 {
		t.Fatalf("got %d levels, want 2", s.Levels())
	}
	const open, mark = "tested/carved.Open", "tested/carved.(*Doc).Mark"
	models := &schemas.Models{Models: []schemas.Model{{
		Type: "tested/carved.Doc", Sequences: 1, Transitions: []schemas.Transition{
			{From: "", To: open, Count: 1},
			{From: mark, To: "tested/carved.(*Doc).Between", Count: 1},
			{From: open, To: mark, Count: 2},
		},
	}}}
	for _, opt := range []Options{
		{Tests: true, Values: true, Evolve: true},
		{Values: true, Evolve: true},
		{Values: true, Evolve: true, Models: models},
	} {
		opt.Seed, opt.Above, opt.Until = 1, 1, time.Now().Add(30*time.Second)
		result, err := s.Search(context.Background(), opt)
		if err != nil || result.Crash == nil || result.Level != 2 {
			t.Fatalf("%+v: got %+v, %v, want a crash at level 2", opt, result, err)
		}
		test, err := result.Crash.Program.WriteTest(pkg, s.Graph().Table, "TestX", "", false)
		if err != nil {
			t.Fatal(err)
		}
		body := test.Body
		if !strings.HasSuffix(body, ")") || strings.Count(body, "\n") > 3 ||
			!strings.Contains(body, ".Between(") {
			t.Errorf("%+v: the test is not small, or ends with no call:\n%s", opt, body)
		}
	}
	frame, unmet, ok := s.Unmet(6)
	got := strings.Join(unmet, "; ")
	const want = `strings.HasPrefix(d.Title, "doc:"); control comes to line 26`
	if !ok || frame.Func != "tested/carved.(*Doc).Between" || got != want {
		t.Errorf("Unmet(6) = %v, %q, %v, want %q in Between", frame.Func, got, ok, want)
	}
}

// TestMisleading: functions that are handed a function literal are called by the function that has it, and what the
// literal calls may be called by itself.
func TestMisleading(t *testing.T) {
	_, pkg := searchtest.Load(t, "tested/late")
	f, g := pkg.Funcs()[0], pkg.Funcs()[1]
	call, literal := stacktrace.Located{Fn: f}, stacktrace.Located{Fn: f, Literal: true}
	other, outside := stacktrace.Located{Fn: g}, stacktrace.Located{}
	for _, tt := range []struct {
		name   string
		frames []stacktrace.Located
		want   string // the indices
	}{
		{"no literal", []stacktrace.Located{other, call}, "[]"},
		{"handed on", []stacktrace.Located{literal, other, outside, call, other}, "[1]"},
		{"called directly", []stacktrace.Located{literal, call}, "[]"},
		{"kept by a function that has returned", []stacktrace.Located{literal, other}, "[]"},
		{"recursive", []stacktrace.Located{literal, literal, other, call}, "[2]"},
		{"called by the literal", []stacktrace.Located{other, literal, other, call}, "[2]"},
	} {
		trace := StackTrace{Frames: tt.frames}
		got := []int{}
		for i, is := range trace.misleading() {
			if is {
				got = append(got, i)
			}
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, got, tt.want)
		}
	}
}

// TestPatient: a crash is found behind a computation that takes more passes than most candidates may make.
func TestPatient(t *testing.T) {
	result := searchLate(t, "tested/late.Last", 10, "runtime error: index out of range [5] with length 1")
	if result.Crash == nil {
		t.Errorf("got %+v, want a crash", result)
	}
}

// TestValues: once candidates crash at the line with other numbers in the message, the search comes nearer to those of
// the target.
func TestValues(t *testing.T) {
	result := searchLate(t, "tested/late.Place", 23, "runtime error: index out of range [23456] with length 5")
	if result.Crash == nil || result.Same != schemas.Identical {
		t.Errorf("got %+v, want the panic with the same index", result)
	}
}

// TestDeepData: a document is filled down to the names of the cells of the rows of a sheet.
func TestDeepData(t *testing.T) {
	const message = "runtime error: index out of range [7] with length 4"
	result := searchIndex(t, "sheet", "tested/sheet.Columns", 33, message)
	if result.Crash == nil {
		t.Errorf("got %+v, want a crash", result)
	}
}

// TestRequest: a server is sent a request with a path, a header and a body that its type can be decoded from.
func TestRequest(t *testing.T) {
	result := searchIndex(t, "handler", "tested/handler.Serve", 31, "runtime error: index out of range [-1]")
	if result.Crash == nil {
		t.Errorf("got %+v, want a crash", result)
	}
}

// searchLate searches for an index panic with a message in a function of package late, at a line.
func searchLate(t *testing.T, fn string, line int, message string) *Result {
	t.Helper()
	return searchIndex(t, "late", fn, line, message)
}

// searchIndex searches for an index panic with a message in a function of a package of the test module, at a line.
func searchIndex(t *testing.T, dir, fn string, line int, message string) *Result {
	t.Helper()
	prog, pkg := searchtest.Load(t, "tested/"+dir)
	trace := &StackTrace{Kind: schemas.Index, Message: message}
	for _, f := range pkg.Funcs() {
		if f.Name == fn {
			trace.Frames = []stacktrace.Located{{
				Frame: stacktrace.Frame{Func: f.Name}, Pos: symbol.Pos{File: dir + "/" + dir + ".go", Line: line}, Fn: f,
			}}
		}
	}
	s, err := NewSearcher(context.Background(), prog, pkg, trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	opt := Options{Values: true, Evolve: true, Seed: 1, Until: time.Now().Add(30 * time.Second)}
	result, err := s.Search(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestPatience: three candidates as near as any that are cut off make a search patient, and twenty that are cut off
// nevertheless end that for good.
func TestPatience(t *testing.T) {
	var p patience
	for range 10 {
		p.hung(false)
	}
	for range maxNearHangs - 1 {
		p.hung(true)
	}
	if p.changes() {
		t.Error("patient too soon")
	}
	p.hung(true)
	if _, passes := p.limits(); !p.changes() || passes != maxPasses {
		t.Errorf("%d passes before the change", passes)
	}
	if _, passes := p.limits(); passes != deepPasses {
		t.Errorf("%d passes after it", passes)
	}
	for range maxHangs {
		p.hung(false)
	}
	if !p.changes() {
		t.Error("patient for ever")
	}
	for range 10 {
		p.hung(true)
	}
	if _, passes := p.limits(); p.changes() || passes != maxPasses {
		t.Errorf("patient again: %d passes", passes)
	}
}

// TestStackTrace checks how many frames of a stack match, and how far it is from the target.
func TestStackTrace(t *testing.T) {
	frame := func(fn string, line int) stacktrace.Located {
		f := stacktrace.Located{Frame: stacktrace.Frame{Func: fn}}
		if line > 0 {
			f.Pos = symbol.Pos{File: "m.go", Line: line}
		}
		return f
	}
	w := &StackTrace{Kind: "index", Frames: []stacktrace.Located{
		frame("m.F[...].func1", 5), frame("m.G", 9), frame("m.H", 0),
	}}
	frames := func(list ...string) (out []schemas.Frame) {
		for _, l := range list {
			fn, pos, _ := strings.Cut(l, "@")
			out = append(out, schemas.Frame{Func: fn, Pos: pos})
		}
		return out
	}
	for _, tt := range []struct {
		kind    schemas.Kind
		frames  []schemas.Frame
		matched int
		close   bool // to the target stack
	}{
		{"index", frames("m.F[go.shape.int].func1@m.go:5", "m.G@m.go:9", "m.H@m.go:70",
			"m.Test@t.go:1"), 3, true},
		{"index", frames("m.inlined.func1@m.go:5", "m.G@m.go:10"), 2, true},
		{"index", frames("m.F[...].func1@m.go:6", "m.G@m.go:9"), 0, true},
		{"div-zero", frames("m.F[...].func1@m.go:5"), 0, true},
		// The second frame has the line of the target frame.
		{"index", frames("m.F[...].func1@m.go:5", "m.H@m.go:9"), 2, true},
		{"index", frames("n.X@n.go:5"), 0, false},
		{"index", nil, 0, false},
	} {
		if got := w.MatchedFrames(tt.kind, tt.frames); got != tt.matched {
			t.Errorf("MatchedFrames(%s, %v) = %d, want %d",
				tt.kind, tt.frames, got, tt.matched)
		}
		if d := w.traceDistance(tt.frames); d < 0 || d > 1 || (d < 0.9) != tt.close {
			t.Errorf("traceDistance(%v) = %v, want close: %v", tt.frames, d, tt.close)
		}
	}
}

// TestInnermost: the functions that an endless recursion had called last are not those to call.
func TestInnermost(t *testing.T) {
	for _, tt := range []struct {
		kind  schemas.Kind
		stack string
		want  int
	}{
		{schemas.StackOverflow, "m.leaf m.walk m.walk m.Walk", 1},
		{schemas.StackOverflow, "m.leaf m.ping m.pong m.ping m.pong m.Walk", 1},
		{schemas.StackOverflow, "m.walk m.Walk", 0},
		{schemas.Index, "m.leaf m.walk m.walk", 0},
	} {
		w := &StackTrace{Kind: tt.kind}
		for _, name := range strings.Fields(tt.stack) {
			w.Frames = append(w.Frames, stacktrace.Located{Frame: stacktrace.Frame{Func: name}})
		}
		if got := w.Innermost(); got != tt.want {
			t.Errorf("%s %s: got %d, want %d", tt.kind, tt.stack, got, tt.want)
		}
	}
}

// TestFitness checks the order of fitness values that the search relies on.
func TestFitness(t *testing.T) {
	const other = maxExceptionPenalty // of another panic than the target
	for _, tt := range []struct {
		name string
		got  float64
		want float64
	}{
		{"the target crash", fitness(0, true, 0), 0},
		{"a similar stack", fitness(0, true, 0.5), 0.5},
		{"at the line, no panic", fitness(0, false, 0), 3},
		{"at the line, another panic", fitness(0, true, other), 3},
		{"at the line again", fitness(-1, false, 0), 2.75},
		{"a similar stack, deeper", fitness(-1, true, 0.5), 0.25},
		{"one condition away", fitness(1, false, 0), 4.5},
		{"one condition away, another panic", fitness(1, true, other), 4.51},
		{"far away, another panic", fitness(1e9, true, other), worstFitness},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: fitness is %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

// TestPopulation checks that the fittest stay, the shorter of equals, and no more than a third of
// them equal.
func TestPopulation(t *testing.T) {
	var p population
	for i := range 300 {
		p.insert([]individual{
			{prog: make(candidate.Program, 1+i%7), fitness: 4},
			{prog: make(candidate.Program, 2), fitness: 5 - float64(i)/100},
		})
	}
	if len(p.list) != populationSize || p.best() > 2.02 {
		t.Fatalf("got %d individuals, the best %v, want %d and 2.01",
			len(p.list), p.best(), populationSize)
	}
	equal := 0
	for i, x := range p.list {
		if i > 0 && x.fitness < p.list[i-1].fitness {
			t.Fatal("the population is not sorted by fitness")
		}
		if x.fitness == 4 {
			equal++
			if len(x.prog) > 1 {
				t.Errorf("%d statements displaced shorter programs", len(x.prog))
			}
		}
	}
	if equal > maxEqual {
		t.Errorf("%d individuals are equally fit, want at most %d", equal, maxEqual)
	}
}
