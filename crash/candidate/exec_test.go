package candidate

import (
	"context"
	"dsd/crash/confine"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dsd/crash/stack"
	"dsd/internal/source"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// fixture is the test module's package with a table of all its functions, and integers.
type fixture struct {
	*Harness
	ops map[string]int // by name
}

func build(tb testing.TB, reset ResetMode) *fixture {
	tb.Helper()
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	pkg := prog.Package("executed/pkg")
	var table []*Op
	for _, f := range pkg.Funcs() {
		sig := f.Obj.Type().(*types.Signature)
		if r := sig.Recv(); r != nil {
			table = append(table, Call(f.Obj, r.Type(), nil, sig))
		} else {
			table = append(table, Call(f.Obj, nil, nil, sig))
		}
	}
	table = append(table, Literal(types.Typ[types.Int]), SliceOf(types.NewSlice(types.Typ[types.Int])), Zero(types.NewSlice(types.Typ[types.Int])))
	h, err := Build(context.Background(), prog, pkg, table, BuildOptions{Reset: reset})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { h.Close() })
	f := &fixture{h, map[string]int{}}
	for i, o := range h.Table {
		f.ops[o.Name] = i
	}
	return f
}

// call is the program that calls a function with integers.
func (f *fixture) call(name string, args ...int) Program {
	var p Program
	var regs []int
	for i, a := range args {
		p = append(p, Stmt{Op: f.ops["int"], Bits: uint64(int64(a))})
		regs = append(regs, i)
	}
	return append(p, Stmt{Op: f.ops[name], Args: regs})
}

// TestRun: what happens to a candidate is its own, whatever it does, and the others run all the same.
func TestRun(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Timeout = 4 * time.Second
	limits.MemoryKB, limits.Passes = 3<<19, 0
	r := f.NewRunner(limits)
	defer r.Close()
	ok := f.call("Div", 7, 2)
	for _, tt := range []struct{ name, kind, text string }{
		{"Loop", "hang", "Loop"},
		{"Overflow", "fatal", "stack overflow"},
		{"Exit", "exit", "exit status 0"},
		{"Fatal", "exit", "exit status 1"},
		{"Goexit", "goexit", ""},
		{"GoPanic", "fatal", "panic: later"},
		{"Deadlock", "fatal", "deadlock"},
		{"Memory", "fatal", "out of memory"},
		{"MapRace", "fatal", "concurrent map"},
		{"Leak", "", ""},
		{"Flood", "", ""},
		{"CloseStreams", "", ""},
	} {
		args := []int{}
		if tt.name == "Overflow" {
			args = append(args, 1)
		}
		batch := []Program{ok, f.call("Div", 1, 0), f.call(tt.name, args...), ok, f.call("At", 0), f.call("Div", 2, 0)}
		batch[4] = Program{{Op: f.ops["zero []int"]}, {Op: f.ops["int"], Bits: 3}, {Op: f.ops["At"], Args: []int{0, 1}}}
		events, err := r.Run(context.Background(), batch)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		kinds := map[int]string{}
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
			t.Errorf("%s: %q %.300q, want %q %q", tt.name, kinds[2], text, tt.kind, tt.text)
		}
		if kinds[0] != "" || kinds[3] != "" {
			t.Errorf("%s: the others are %v", tt.name, kinds)
		}
		r.Close() // panics with the same stack are told three times a process
	}
}

// TestEnding: a candidate that loops, or wants to end the process, costs no process.
func TestEnding(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Timeout, limits.PanicsPerStack = time.Minute, 100
	r := f.NewRunner(limits)
	defer r.Close()
	for _, tt := range []struct{ name, kind, text string }{
		{"Loop", "hang", "pkg.Loop"},
		{"Exit", "exit", "exit status 0"},
		{"Fatal", "exit", "exit status 1"},
		{"Leaves", "exit", "exit status 3"},
		{"Calls", "hang", "pkg.Calls"},
	} {
		events, err := r.Run(context.Background(), []Program{f.call("Div", 7, 2), f.call(tt.name), f.call("Div", 1, 0), f.call(tt.name)})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got := map[int]Event{}
		for _, e := range events {
			if e.Kind != "new" && e.Kind != "slow" {
				got[e.Index] = e
			}
		}
		if len(got) != 3 || got[1].Kind != tt.kind || !strings.Contains(got[1].Text, tt.text) || got[2].Kind != "panic" || got[3].Kind != tt.kind {
			t.Errorf("%s: %v", tt.name, got)
		}
		r.p.stderr.mu.Lock()
		if r.p.stderr.head.Len() > 0 {
			t.Errorf("%s prints %s", tt.name, r.p.stderr.head.String())
		}
		r.p.stderr.mu.Unlock()
	}
	if r.Processes != 1 {
		t.Errorf("%d processes", r.Processes)
	}
}

func TestPanicText(t *testing.T) {
	f := build(t, ResetNone)
	r := f.NewRunner(DefaultLimits)
	defer r.Close()
	events, err := r.Run(context.Background(), []Program{f.call("Div", 1, 0), {
		{Op: f.ops["NewStack"]}, {Op: f.ops["int"], Bits: 5}, {Op: f.ops["*Stack.Push"], Args: []int{0, 1}},
		{Op: f.ops["*Stack.Pop"], Args: []int{0}}, {Op: f.ops["*Stack.Pop"], Args: []int{0}}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		if e.Kind == "panic" {
			p := stack.Parse(e.Text)
			got = append(got, p.Kind+" in "+p.Frames[0].Func)
			if e.Index == 1 && e.Stmt != 4 {
				t.Errorf("statement %d panicked", e.Stmt)
			}
		}
	}
	if want := "div-zero in executed/pkg.Div, index in executed/pkg.(*Stack).Pop"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestReset: with reinit and process, a candidate meets the variables as the program made them, with none as others left
// them.
func TestReset(t *testing.T) {
	for reset, panics := range map[ResetMode]int{ResetReinit: 0, ResetProcess: 0, ResetNone: 4} {
		f := build(t, reset)
		r := f.NewRunner(DefaultLimits)
		leaky := f.call("Leaky")
		events, err := r.Run(context.Background(), []Program{leaky, leaky, leaky, leaky, leaky})
		if err != nil {
			t.Fatal(err)
		}
		if r.Panics != panics || r.Fault != "" {
			t.Errorf("%s: %d panics, want %d; %s %v", reset, r.Panics, panics, r.Fault, events)
		}
		r.Close()
	}
}

// BenchmarkRun: candidates a second of four calls on a small type.
func BenchmarkRun(b *testing.B) {
	for _, reset := range []ResetMode{ResetReinit, ResetNone} {
		b.Run(string(reset), func(b *testing.B) {
			f := build(b, reset)
			r := f.NewRunner(DefaultLimits)
			defer r.Close()
			four := Program{{Op: f.ops["NewStack"]}, {Op: f.ops["int"], Bits: 5}, {Op: f.ops["*Stack.Push"], Args: []int{0, 1}},
				{Op: f.ops["*Stack.Push"], Args: []int{0, 1}}, {Op: f.ops["*Stack.Pop"], Args: []int{0}}}
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

// TestTimeOver: a runner whose time is over as a candidate runs is closed all the same.
func TestTimeOver(t *testing.T) {
	f := build(t, ResetReinit)
	limits := DefaultLimits
	limits.Passes = 0
	r := f.NewRunner(limits)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := r.Run(ctx, []Program{f.call("Loop")}); err == nil {
		t.Error("it returns no error")
	}
	r.Close()
	r.Close()
}
