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

	"dsd/crash/candidate/run"
	"dsd/internal/source"
)

// TestClimb: variants come nearer than their candidate, and what is told of them is true of the programs that they are told to be.
func TestClimb(t *testing.T) {
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
	file := filepath.Join(pkg.Dir, "way.go")
	table := []*Op{Literal(types.Typ[types.Int]), Literal(types.Typ[types.String]), call("Steep"), call("Deep"), call("Same")}
	steep := func(a uint64, text string) Program {
		return Program{{Op: 0, Bits: a}, {Op: 1, Text: text}, {Op: 2, Args: []int{0, 1}}}
	}
	places := []TargetFrame{{Func: funcs["Steep"], Line: lineWith(t, file, "// steep"), Kind: "index"}}
	h, err := Build(context.Background(), prog, pkg, table, BuildOptions{Reset: ResetReinit, Target: places})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	limits := DefaultLimits
	limits.PanicsPerStack = 1000
	r, plain := h.NewRunner(limits), h.NewRunner(limits)
	defer r.Close()
	defer plain.Close()
	runs := func(r *Runner, batch ...Program) []Event {
		t.Helper()
		events, err := r.Run(context.Background(), batch)
		if err != nil {
			t.Fatal(err)
		}
		return events
	}

	// The third calls Same in vain, the last needs it.
	near := []Program{steep(1, ""), steep(12, "a\xffb"),
		{{Op: 0, Bits: 2}, {Op: 4, Args: []int{0}}, {Op: 0, Bits: 18}, {Op: 1, Text: "keyx"}, {Op: 2, Args: []int{2, 3}}},
		{{Op: 0, Bits: 18}, {Op: 4, Args: []int{0}}, {Op: 1, Text: "keyx"}, {Op: 2, Args: []int{1, 2}}}}
	runs(plain, near...)
	own := plain.Distances
	if plain.Evaluated != len(near) {
		t.Errorf("%d evaluated without a climb", plain.Evaluated)
	}
	r.Climb = Climb{Variants: 200, Time: time.Second, Bound: own[0], Vocabulary: &run.Vocabulary{Texts: []string{"\xff", "key"}, Words: []string{"key"}, Numbers: []uint64{15}}}
	events := runs(r, near...)
	reached, best, stacks := r.Distances, r.Best, r.Stacks
	if r.Evaluated < 800 {
		t.Errorf("%d evaluated", r.Evaluated)
	}
	for i := range near {
		if reached[i] >= own[i] || best[i] == nil {
			t.Errorf("candidate %d is %v away, at best %v", i, own[i], reached[i])
			continue
		}
		runs(plain, best[i])
		if plain.Distances[0] != reached[i] || (plain.Stacks[0] == 0) != (stacks[i] == 0) {
			t.Errorf("the best variant of candidate %d is %v away by itself, not %v: %+v", i, plain.Distances[0], reached[i], best[i])
		}
	}
	if calls := opsOf(best[2]); !slices.Equal(calls, []int{0, 1, 2}) {
		t.Errorf("what nobody needs is not left out, or more: %v", calls)
	}
	if calls := opsOf(best[3]); !slices.Equal(calls, []int{0, 4, 1, 2}) {
		t.Errorf("what is needed is left out: %v", calls)
	}
	panics := 0
	for _, e := range events {
		if e.Kind != "panic" || e.Variant == nil {
			continue
		}
		panics++
		if e.Stmt != len(e.Variant)-1 {
			t.Errorf("statement %d of %+v panics", e.Stmt, e.Variant)
		}
		again := runs(plain, e.Variant)
		i := slices.IndexFunc(again, func(e Event) bool { return e.Kind == "panic" })
		if i < 0 || first(again[i].Text) != first(e.Text) {
			t.Errorf("%+v panics with %s, but by itself %+v", e.Variant, first(e.Text), again)
		}
	}
	if panics == 0 {
		t.Error("no variant panics")
	}

	r.Climb.Bound = float32(math.Inf(1))
	runs(r, Program{{Op: 0, Bits: 2}}, Program{{Op: 0, Bits: 2}, {Op: 4, Args: []int{0}}, {Op: 1, Text: "a"}})
	for i, b := range r.Best {
		if b != nil && len(b) == 0 {
			t.Errorf("nothing is left of candidate %d", i)
		}
	}

	r.Climb.Bound = 0
	runs(r, near...)
	if r.Evaluated != len(near) {
		t.Errorf("%d evaluated of candidates that are farther away than the bound", r.Evaluated)
	}

	r.Climb.Bound, r.Climb.Vocabulary = float32(math.Inf(1)), &run.Vocabulary{Numbers: []uint64{5000}}
	deaths := 0
	for _, e := range runs(r, Program{{Op: 0, Bits: 3}, {Op: 3, Args: []int{0}}}) {
		if e.Kind == "fatal" && e.Variant != nil && e.Variant[0].Bits > 1000 && strings.Contains(e.Text, "stack overflow") {
			deaths++
		}
	}
	if deaths != 1 {
		t.Errorf("the variant that ends its process is not told")
	}
}

func opsOf(p Program) (ops []int) {
	for _, s := range p {
		ops = append(ops, s.Op)
	}
	return ops
}

func first(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
