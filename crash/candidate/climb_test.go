package candidate

import (
	"context"
	"go/types"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate/instrument"
	"dsd/crash/candidate/run"
	"dsd/internal/source"
)

// Operations of the table of climbFixture.
const (
	opInt = iota
	opText
	opSteep
	opDeep
	opSame
	opUnpack
	opMarks
)

// climbFixture holds two runners over testdata/mod/way, whose targets are the panics in Steep, Unpack and Marks.
type climbFixture struct {
	t *testing.T
	// climbing is for runs with a Climb, plain for runs without.
	climbing, plain *Runner
}

func newClimbFixture(t *testing.T) *climbFixture {
	t.Helper()
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Package("executed/way")
	funcs := map[string]*source.Func{}
	for _, f := range pkg.Funcs() {
		funcs[f.Obj.Name()] = f
	}
	call := func(name string) *Op {
		return Call(funcs[name].Obj, nil, nil, funcs[name].Obj.Type().(*types.Signature))
	}
	table := []*Op{
		opInt: Literal(types.Typ[types.Int]), opText: Literal(types.Typ[types.String]),
		opSteep: call("Steep"), opDeep: call("Deep"), opSame: call("Same"), opUnpack: call("Unpack"),
		opMarks: call("Marks"),
	}
	line := func(file, comment string) int { return lineWith(t, filepath.Join(pkg.Dir, file), comment) }
	h, err := Build(context.Background(), prog, pkg, table, BuildOptions{
		Reset: ResetReinit,
		Targets: [][]instrument.TargetFrame{
			{{Func: funcs["Steep"], Line: line("way.go", "// steep"), Kind: "index"}},
			{{Func: funcs["Unpack"], Line: line("packet.go", "// the byte"), Kind: "index"}},
			{{Func: funcs["Marks"], Line: line("marks.go", "// the value"), Kind: "index"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	limits := DefaultLimits
	limits.PanicsPerStack = 1000
	f := &climbFixture{t: t, climbing: h.NewRunner(limits), plain: h.NewRunner(limits)}
	t.Cleanup(func() {
		f.climbing.Close()
		f.plain.Close()
		h.Close()
	})
	return f
}

// run runs a batch.
func (f *climbFixture) run(r *Runner, batch ...Program) []Event {
	f.t.Helper()
	events, err := r.Run(context.Background(), batch)
	if err != nil {
		f.t.Fatal(err)
	}
	return events
}

// steepCall calls Steep.
func steepCall(a uint64, text string) Program {
	return Program{
		{Op: opInt, Bits: a}, {Op: opText, Text: text}, {Op: opSteep, Args: []int{0, 1}},
	}
}

// nearSteep are candidates that come near the panic in Steep. The third calls Same and does not
// use the result; the last uses it.
var nearSteep = []Program{
	steepCall(1, ""),
	steepCall(12, "a\xffb"),
	{
		{Op: opInt, Bits: 2}, {Op: opSame, Args: []int{0}},
		{Op: opInt, Bits: 18}, {Op: opText, Text: "keyx"}, {Op: opSteep, Args: []int{2, 3}},
	},
	{
		{Op: opInt, Bits: 18}, {Op: opSame, Args: []int{0}},
		{Op: opText, Text: "keyx"}, {Op: opSteep, Args: []int{1, 2}},
	},
}

// TestClimb checks that variants come nearer than their candidate, and that what is reported about
// a variant holds for the program that is reported as the variant.
func TestClimb(t *testing.T) {
	f := newClimbFixture(t)
	r, plain := f.climbing, f.plain
	f.run(plain, nearSteep...)
	own := plain.Distances
	if plain.Evaluated != len(nearSteep) {
		t.Errorf("without a climb: %d evaluated, want %d", plain.Evaluated, len(nearSteep))
	}
	r.Climb = Climb{Variants: 200, Time: time.Second, Bound: own[0]}
	r.Climb.Vocabulary = &run.Vocabulary{
		Texts: []string{"\xff", "key"}, Words: []string{"key"}, Numbers: []uint64{15},
	}
	events := f.run(r, nearSteep...)
	if r.Evaluated < 800 {
		t.Errorf("%d evaluated, want at least 800", r.Evaluated)
	}
	for i := range nearSteep {
		best, reached := r.Best[i], r.Distances[i]
		if reached >= own[i] || best == nil {
			t.Errorf("candidate %d has distance %v, its best variant %v",
				i, own[i], reached)
			continue
		}
		f.run(plain, best)
		samePanic := (plain.Stacks[0] == 0) == (r.Stacks[i] == 0)
		if plain.Distances[0] != reached || !samePanic {
			t.Errorf("best variant of candidate %d: distance %v, in the climb %v: %+v",
				i, plain.Distances[0], reached, best)
		}
	}
	for i, want := range map[int][]int{
		2: {opInt, opText, opSteep}, // without Same
		3: {opInt, opSame, opText, opSteep},
	} {
		if got := ops(r.Best[i]); !slices.Equal(got, want) {
			t.Errorf("candidate %d keeps operations %v, want %v", i, got, want)
		}
	}
	f.checkPanics(events)

	r.Climb.Bound = 0
	f.run(r, nearSteep...)
	if r.Evaluated != len(nearSteep) {
		t.Errorf("with all candidates beyond the bound: %d evaluated, want %d",
			r.Evaluated, len(nearSteep))
	}
}

// checkPanics checks that each variant that panics does so by itself, with the same message.
func (f *climbFixture) checkPanics(events []Event) {
	f.t.Helper()
	panics := 0
	for _, e := range events {
		if e.Kind != run.KindPanic || e.Variant == nil {
			continue
		}
		panics++
		if e.Stmt != len(e.Variant)-1 {
			f.t.Errorf("statement %d of %+v panics, want the last", e.Stmt, e.Variant)
		}
		again := f.run(f.plain, e.Variant)
		i := slices.IndexFunc(again, func(e Event) bool { return e.Kind == run.KindPanic })
		if i < 0 || firstLine(again[i].Text) != firstLine(e.Text) {
			f.t.Errorf("%+v panics with %s; by itself: %+v",
				e.Variant, firstLine(e.Text), again)
		}
	}
	if panics == 0 {
		f.t.Error("no variant panics")
	}
}

// TestClimbUnused checks that a candidate none of whose results is used keeps some statement.
func TestClimbUnused(t *testing.T) {
	f := newClimbFixture(t)
	r := f.climbing
	r.Climb = Climb{
		Variants: 200, Time: time.Second, Bound: float32(math.Inf(1)),
		Vocabulary: &run.Vocabulary{},
	}
	number, text := Stmt{Op: opInt, Bits: 2}, Stmt{Op: opText, Text: "a"}
	f.run(r, Program{number}, Program{number, {Op: opSame, Args: []int{0}}, text})
	for i, best := range r.Best {
		if best != nil && len(best) == 0 {
			t.Errorf("the best variant of candidate %d is empty", i)
		}
	}
}

// TestClimbDeath checks that a variant that ends its process is reported as the variant that it is.
func TestClimbDeath(t *testing.T) {
	f := newClimbFixture(t)
	r := f.climbing
	r.Climb = Climb{
		Variants: 200, Time: time.Second, Bound: float32(math.Inf(1)),
		Vocabulary: &run.Vocabulary{Numbers: []uint64{5000}},
	}
	deaths := 0
	for _, e := range f.run(r, Program{{Op: opInt, Bits: 3}, {Op: opDeep, Args: []int{0}}}) {
		overflow := e.Kind == run.KindFatal && strings.Contains(e.Text, "stack overflow")
		if overflow && e.Variant != nil && e.Variant[0].Bits > 1000 {
			deaths++
		}
	}
	if deaths != 1 {
		t.Errorf("got %d events for the variant that ends its process, want 1", deaths)
	}
}

// ops returns the operations of a program.
func ops(p Program) (list []int) {
	for _, s := range p {
		list = append(list, s.Op)
	}
	return list
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// TestClimbByOperands: a checksum, a magic number and a length come out as needed within a few thousand variants, because
// what conditions compare replaces each other. About six climbs of ten get there.
func TestClimbByOperands(t *testing.T) {
	f := newClimbFixture(t)
	r := f.climbing
	r.Target = 1
	r.Climb = Climb{Variants: 4000, Time: time.Minute, Bound: float32(math.Inf(1)), Vocabulary: &run.Vocabulary{}}
	packet := Program{{Op: opText, Text: "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d"}, {Op: opUnpack, Args: []int{0}}}
	panics := 0
	for range 10 { // each climb draws other numbers
		f.run(r, packet)
		if r.Stacks[0] == 0 {
			continue
		}
		panics++
		if f.run(f.plain, r.Best[0]); f.plain.Stacks[0] == 0 {
			t.Errorf("%+v does not panic again", r.Best[0])
		}
	}
	if panics < 3 {
		t.Errorf("%d of 10 climbs end in the panic, the last best is %+v with distance %v", panics, r.Best[0], r.Distances[0])
	}
}

// TestClimbByUnequal: what a condition compares replaces each other, though it came out as needed for another mark of the list.
func TestClimbByUnequal(t *testing.T) {
	f := newClimbFixture(t)
	r := f.climbing
	r.Target = 2
	r.Climb = Climb{Variants: 32, Time: time.Minute, Bound: float32(math.Inf(1)), Vocabulary: &run.Vocabulary{}}
	panics := 0
	for range 200 { // each climb draws other numbers
		events := f.run(r, Program{{Op: opText, Text: ". . a=1"}, {Op: opMarks, Args: []int{0}}})
		if slices.ContainsFunc(events, func(e Event) bool { return e.Kind == run.KindPanic }) {
			panics++
		}
	}
	if panics < 40 {
		t.Errorf("%d of 200 climbs come to the panic", panics)
	}
}
