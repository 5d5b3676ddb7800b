package candidate

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate/run"
	"dsd/crash/stack"
	"dsd/internal/confine"
	"dsd/internal/source"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// fixture is the harness of testdata/mod/pkg, with a table of its functions and of integers.
type fixture struct {
	*Harness
	ops map[string]int // indices of the operations, by name
	pkg *source.Package
}

// build builds the fixture.
func build(tb testing.TB, reset ResetMode) *fixture {
	tb.Helper()
	return buildPackage(tb, "executed/pkg", reset)
}

// buildPackage builds a fixture of another package of testdata/mod.
func buildPackage(tb testing.TB, path string, reset ResetMode) *fixture {
	tb.Helper()
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return fixtureOf(tb, prog, path, BuildOptions{Reset: reset})
}

// fixtureOf builds a fixture of a package of a program.
func fixtureOf(tb testing.TB, prog *source.Program, path string, opt BuildOptions) *fixture {
	tb.Helper()
	pkg := prog.Package(path)
	var table []*Op
	for _, f := range pkg.Funcs() {
		sig := f.Obj.Type().(*types.Signature)
		if r := sig.Recv(); r != nil {
			table = append(table, Call(f.Obj, r.Type(), nil, sig))
		} else {
			table = append(table, Call(f.Obj, nil, nil, sig))
		}
	}
	for _, name := range pkg.Types.Scope().Names() {
		if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok && v.Exported() {
			table = append(table, SetVariable(v))
		}
	}
	ints := types.NewSlice(types.Typ[types.Int])
	table = append(table, Literal(types.Typ[types.Int]), SliceOf(ints), Zero(ints))
	h, err := Build(context.Background(), prog, pkg, table, opt)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { h.Close() })
	f := &fixture{h, map[string]int{}, pkg}
	for i, o := range h.Table {
		f.ops[o.Name] = i
	}
	return f
}

// stmt returns a statement; args are numbers of results.
func (f *fixture) stmt(name string, args ...int) Stmt { return Stmt{Op: f.ops[name], Args: args} }

// int returns a statement that makes an integer.
func (f *fixture) int(n int) Stmt { return Stmt{Op: f.ops["int"], Bits: uint64(int64(n))} }

// call returns the program that calls a function with integers.
func (f *fixture) call(name string, args ...int) Program {
	var p Program
	var results []int
	for i, a := range args {
		p = append(p, f.int(a))
		results = append(results, i)
	}
	return append(p, f.stmt(name, results...))
}

// TestRun checks that whatever a candidate does, its event is reported and the other candidates
// run.
func TestRun(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Timeout = 4 * time.Second
	limits.Passes = 0
	r := f.NewRunner(limits)
	defer r.Close()
	ok := f.call("Div", 7, 2)
	for _, tt := range []struct {
		name string
		kind run.EventKind
		text string
	}{
		{"Loop", "hang", "Loop"},
		{"Overflow", "fatal", "stack overflow"},
		{"Exit", "exit", "exit status 0"},
		{"Fatal", "exit", "exit status 1"},
		{"Goexit", "goexit", ""},
		{"GoPanic", "fatal", "panic: later"},
		{"Deadlock", "fatal", "deadlock"},
		{"Memory", "fatal", "memory"}, // out of memory, or cannot allocate memory
		{"MapRace", "fatal", "concurrent map"},
		{"Leak", "", ""},
		{"Flood", "", ""},
		{"CloseStreams", "", ""},
	} {
		args := []int{}
		if tt.name == "Overflow" {
			args = append(args, 1)
		}
		batch := []Program{
			ok, f.call("Div", 1, 0), f.call(tt.name, args...), ok,
			{f.stmt("zero []int"), f.int(3), f.stmt("At", 0, 1)},
			f.call("Div", 2, 0),
		}
		events, err := r.Run(context.Background(), batch)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		kinds := map[int]run.EventKind{}
		text := ""
		for _, e := range events {
			if e.Kind != "new" && e.Kind != "slow" {
				kinds[e.Index] = e.Kind
			}
			if e.Index == 2 {
				text += e.Text
			}
		}
		if kinds[2] != tt.kind || !strings.Contains(text, tt.text) {
			t.Errorf("%s: got %q %.300q, want %q %q",
				tt.name, kinds[2], text, tt.kind, tt.text)
		}
		if kinds[0] != "" || kinds[3] != "" {
			t.Errorf("%s: events of the other candidates: %v", tt.name, kinds)
		}
		r.Close() // a process reports three panics with the same stack only
	}
}

// TestMemoryWatch checks that a process that uses more memory than it may is killed, though resource
// limits do not stop it, and that the next candidates run.
func TestMemoryWatch(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Passes = 0
	limits.Timeout *= 20 // the machine may be busy
	const mib = 300
	for _, tt := range []struct {
		limit int // MiB
		want  string
	}{
		{200, "used more than 200 MiB"},
		{640, ""},
	} {
		limits.MemoryKB = tt.limit << 10
		r := f.NewRunner(limits)
		batch := []Program{f.call("Share", mib), f.call("Div", 1, 0)}
		events, err := r.Run(context.Background(), batch)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		text, divided := "", false
		for _, e := range events {
			if e.Index == 0 {
				text += e.Text
			}
			divided = divided || e.Index == 1 && e.Kind == "panic"
		}
		if !divided || (tt.want == "") != (text == "") || !strings.Contains(text, tt.want) {
			t.Errorf("%d MiB: got %.200q, divided %v; want %q", tt.limit, text, divided, tt.want)
		}
	}
}

// TestEndCandidate checks that candidates that loop, or exit, do not end their process.
func TestEndCandidate(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Timeout, limits.PanicsPerStack = time.Minute, 100
	r := f.NewRunner(limits)
	defer r.Close()
	for _, tt := range []struct {
		name string
		kind run.EventKind
		text string
	}{
		{"Loop", "hang", "pkg.Loop"},
		{"Exit", "exit", "exit status 0"},
		{"Fatal", "exit", "exit status 1"},
		{"Leaves", "exit", "exit status 3"},
		{"Calls", "hang", "pkg.Calls"},
	} {
		batch := []Program{
			f.call("Div", 7, 2), f.call(tt.name), f.call("Div", 1, 0), f.call(tt.name),
		}
		events, err := r.Run(context.Background(), batch)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got := map[int]Event{}
		for _, e := range events {
			if e.Kind != "new" && e.Kind != "slow" {
				got[e.Index] = e
			}
		}
		if len(got) != 3 || got[1].Kind != tt.kind ||
			!strings.Contains(got[1].Text, tt.text) ||
			got[2].Kind != "panic" || got[3].Kind != tt.kind {
			t.Errorf("%s: got events %v", tt.name, got)
		}
		r.p.stderr.mu.Lock()
		if r.p.stderr.head.Len() > 0 {
			t.Errorf("%s: the process prints %s", tt.name, r.p.stderr.head.String())
		}
		r.p.stderr.mu.Unlock()
	}
	if r.Processes != 1 {
		t.Errorf("got %d processes, want 1", r.Processes)
	}
}

// TestPanicText checks that the texts of panics can be parsed, and name the statement.
func TestPanicText(t *testing.T) {
	f := build(t, ResetNone)
	r := f.NewRunner(DefaultLimits)
	defer r.Close()
	events, err := r.Run(context.Background(), []Program{
		f.call("Div", 1, 0),
		{
			f.stmt("NewStack"), f.int(5), f.stmt("*Stack.Push", 0, 1),
			f.stmt("*Stack.Pop", 0), f.stmt("*Stack.Pop", 0),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		if e.Kind == "panic" {
			p := stack.Parse(e.Text)
			got = append(got, string(p.Kind)+" in "+p.Frames[0].Func)
			if e.Index == 1 && e.Stmt != 4 {
				t.Errorf("got statement %d, want 4", e.Stmt)
			}
		}
	}
	want := []string{"div-zero in executed/pkg.Div", "index in executed/pkg.(*Stack).Pop"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReset checks that candidates see package-level variables as initialized with ResetReinit and
// ResetProcess, and as other candidates left them with ResetNone.
func TestReset(t *testing.T) {
	for reset, want := range map[ResetMode]int{ResetReinit: 0, ResetProcess: 0, ResetNone: 4} {
		f := build(t, reset)
		r := f.NewRunner(DefaultLimits)
		leaky := f.call("Leaky")
		batch := []Program{leaky, leaky, leaky, leaky, leaky}
		events, err := r.Run(context.Background(), batch)
		if err != nil {
			t.Fatal(err)
		}
		if r.Panics != want || r.Fault != "" {
			t.Errorf("%s: got %d panics, want %d; fault %q, events %v",
				reset, r.Panics, want, r.Fault, events)
		}
		r.Close()
	}
}

// TestResetAcrossPackages checks that what the init functions of other packages set is set again,
// that an initializer that registers something in another package is repeated, and that a package that cannot be initialized twice costs only its own reset.
func TestResetAcrossPackages(t *testing.T) {
	f := buildPackage(t, "executed/hooked", ResetReinit)
	r := f.NewRunner(DefaultLimits)
	defer r.Close()
	hooked, named := f.call("Hooked"), f.call("Named")
	events, err := r.Run(context.Background(), []Program{hooked, hooked, hooked, named, named})
	if err != nil {
		t.Fatal(err)
	}
	if r.Panics != 0 || !strings.Contains(r.Fault, "executed/once") {
		t.Errorf("got %d panics, fault %q, events %v", r.Panics, r.Fault, events)
	}
}

// TestAgain checks that of a panic which a deferred function replaces by another one, the text has both, as Go prints it,
// and that what an earlier candidate recovered is forgotten.
func TestAgain(t *testing.T) {
	f := build(t, ResetNone)
	r := f.NewRunner(DefaultLimits)
	defer r.Close()
	events, err := r.Run(context.Background(), []Program{
		{f.stmt("zero []int"), f.int(3), f.stmt("Again", 0, 1)}, f.call("Div", 1, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"panic: runtime error: index out of range [3] with length 0 [recovered]\n\tpanic: again\n\n",
		"panic: runtime error: integer divide by zero\n\n",
	}
	var got []string
	for _, e := range events {
		if e.Kind == run.KindPanic {
			text, _, _ := strings.Cut(e.Text, "goroutine ")
			got = append(got, text)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSetVariable checks that a candidate sets a package-level variable for itself alone, also if it panics, and that its
// test sets it.
func TestSetVariable(t *testing.T) {
	f := build(t, ResetNone)
	r := f.NewRunner(DefaultLimits)
	defer r.Close()
	limited := f.call("Limited")
	seven := Program{f.int(7), f.stmt("Limit =", 0), f.stmt("Limited")}
	events, err := r.Run(context.Background(), []Program{limited, seven, limited, seven, limited})
	if err != nil {
		t.Fatal(err)
	}
	if r.Panics != 2 {
		t.Errorf("got %d panics, want 2: %v", r.Panics, events)
	}
	test, err := seven.WriteTest(f.pkg, f.Table, "TestX", "", false)
	if err != nil || test.Body != "\tLimit = 7\n\tLimited()" {
		t.Errorf("got %v, %v", test, err)
	}
}

// BenchmarkRun measures candidates of four calls on a small type.
func BenchmarkRun(b *testing.B) {
	for _, reset := range []ResetMode{ResetReinit, ResetNone} {
		b.Run(string(reset), func(b *testing.B) {
			f := build(b, reset)
			r := f.NewRunner(DefaultLimits)
			defer r.Close()
			four := Program{
				f.stmt("NewStack"), f.int(5), f.stmt("*Stack.Push", 0, 1),
				f.stmt("*Stack.Push", 0, 1), f.stmt("*Stack.Pop", 0),
			}
			batch := make([]Program, 4000)
			for i := range batch {
				batch[i] = four
			}
			n := 0
			for b.Loop() {
				if _, err := r.Run(context.Background(), batch); err != nil {
					b.Fatal(err)
				}
				n += len(batch)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "candidates/s")
		})
	}
}

// TestContextEnds checks that Run returns, and a runner can be closed, if the context ends while a
// candidate runs.
func TestContextEnds(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Passes = 0
	r := f.NewRunner(limits)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := r.Run(ctx, []Program{f.call("Loop")}); err == nil {
		t.Error("no error after the end of the context")
	}
	r.Close()
	r.Close()
}

// TestResetKeepsPositions checks that panics in function literals of initializers have the
// positions of the source, also after a reset.
func TestResetKeepsPositions(t *testing.T) {
	f := build(t, ResetReinit)
	r := f.NewRunner(DefaultLimits)
	defer r.Close()
	events, err := r.Run(context.Background(), []Program{f.call("Step", 1), f.call("Step", 0)})
	if err != nil || len(events) == 0 {
		t.Fatal(events, err)
	}
	line := lineWith(t, filepath.Join("testdata", "mod", "pkg", "pkg.go"),
		"// the literal's place")
	want := fmt.Sprintf("%s:%d", filepath.Join(f.over.Root, "pkg", "pkg.go"), line)
	for _, e := range events {
		if e.Kind != "panic" {
			continue
		}
		frame := stack.Parse(e.Text).Frames[0]
		if got := fmt.Sprintf("%s:%d", frame.File, frame.Line); got != want {
			t.Errorf("panic at %s, want %s", got, want)
		}
	}
}
