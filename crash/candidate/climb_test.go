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

// TestClimb checks that variants come nearer than their candidate, and that what is reported about
// a variant holds for the program that is reported as the variant.
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
	target := []instrument.TargetFrame{{Func: funcs["Steep"], Line: lineWith(t, file, "// steep"), Kind: "index"}}
	h, err := Build(context.Background(), prog, pkg, table, BuildOptions{Reset: ResetReinit, Target: target})
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

	// Candidate 2 calls Same and does not use the result; candidate 3 uses it.
	near := []Program{steep(1, ""), steep(12, "a\xffb"),
		{{Op: 0, Bits: 2}, {Op: 4, Args: []int{0}}, {Op: 0, Bits: 18}, {Op: 1, Text: "keyx"}, {Op: 2, Args: []int{2, 3}}},
		{{Op: 0, Bits: 18}, {Op: 4, Args: []int{0}}, {Op: 1, Text: "keyx"}, {Op: 2, Args: []int{1, 2}}}}
	runs(plain, near...)
	own := plain.Distances
	if plain.Evaluated != len(near) {
		t.Errorf("without a climb: %d evaluated, want %d", plain.Evaluated, len(near))
	}
	vocabulary := &run.Vocabulary{Texts: []string{"\xff", "key"}, Words: []string{"key"}, Numbers: []uint64{15}}
	r.Climb = Climb{Variants: 200, Time: time.Second, Bound: own[0], Vocabulary: vocabulary}
	events := runs(r, near...)
	reached, best, stacks := r.Distances, r.Best, r.Stacks
	if r.Evaluated < 800 {
		t.Errorf("%d evaluated, want at least 800", r.Evaluated)
	}
	for i := range near {
		if reached[i] >= own[i] || best[i] == nil {
			t.Errorf("candidate %d has distance %v, its best variant %v", i, own[i], reached[i])
			continue
		}
		runs(plain, best[i])
		if plain.Distances[0] != reached[i] || (plain.Stacks[0] == 0) != (stacks[i] == 0) {
			t.Errorf("best variant of candidate %d: distance %v by itself, %v in the climb: %+v",
				i, plain.Distances[0], reached[i], best[i])
		}
	}
	if calls := opsOf(best[2]); !slices.Equal(calls, []int{0, 1, 2}) {
		t.Errorf("candidate 2 keeps operations %v, want without Same", calls)
	}
	if calls := opsOf(best[3]); !slices.Equal(calls, []int{0, 4, 1, 2}) {
		t.Errorf("candidate 3 keeps operations %v, want with Same", calls)
	}
	panics := 0
	for _, e := range events {
		if e.Kind != "panic" || e.Variant == nil {
			continue
		}
		panics++
		if e.Stmt != len(e.Variant)-1 {
			t.Errorf("statement %d of %+v panics, want the last", e.Stmt, e.Variant)
		}
		again := runs(plain, e.Variant)
		i := slices.IndexFunc(again, func(e Event) bool { return e.Kind == "panic" })
		if i < 0 || firstLine(again[i].Text) != firstLine(e.Text) {
			t.Errorf("%+v panics with %s; by itself: %+v", e.Variant, firstLine(e.Text), again)
		}
	}
	if panics == 0 {
		t.Error("no variant panics")
	}

	r.Climb.Bound = float32(math.Inf(1))
	runs(r, Program{{Op: 0, Bits: 2}},
		Program{{Op: 0, Bits: 2}, {Op: 4, Args: []int{0}}, {Op: 1, Text: "a"}})
	for i, b := range r.Best {
		if b != nil && len(b) == 0 {
			t.Errorf("the best variant of candidate %d is empty", i)
		}
	}

	r.Climb.Bound = 0
	runs(r, near...)
	if r.Evaluated != len(near) {
		t.Errorf("with all candidates beyond the bound: %d evaluated, want %d", r.Evaluated, len(near))
	}

	r.Climb.Bound, r.Climb.Vocabulary = float32(math.Inf(1)), &run.Vocabulary{Numbers: []uint64{5000}}
	deaths := 0
	for _, e := range runs(r, Program{{Op: 0, Bits: 3}, {Op: 3, Args: []int{0}}}) {
		overflow := e.Kind == "fatal" && strings.Contains(e.Text, "stack overflow")
		if overflow && e.Variant != nil && e.Variant[0].Bits > 1000 {
			deaths++
		}
	}
	if deaths != 1 {
		t.Errorf("got %d events for the variant that ends its process, want 1", deaths)
	}
}

func opsOf(p Program) (ops []int) {
	for _, s := range p {
		ops = append(ops, s.Op)
	}
	return ops
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
