package candidate

import (
	"context"
	"fmt"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/crash/candidate/instrument"
	"dsd/internal/source"
)

// lineWith returns the number of the line that ends with a comment.
func lineWith(t *testing.T, file, comment string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(l, comment) {
			return i + 1
		}
	}
	t.Fatalf("%s has no line with %q", file, comment)
	return 0
}

// TestTrail checks that the distance of a candidate shrinks with each condition on the way that it
// meets, and as it comes nearer to meeting the next one.
func TestTrail(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Package("executed/way")
	funcs := map[string]*source.Func{}
	for _, f := range pkg.Funcs() {
		funcs[f.Obj.Name()] = f
	}
	file, packet := filepath.Join(pkg.Dir, "way.go"), filepath.Join(pkg.Dir, "packet.go")
	call := func(name string) *Op {
		return Call(funcs[name].Obj, nil, nil, funcs[name].Obj.Type().(*types.Signature))
	}
	bytes := types.NewSlice(types.Typ[types.Byte])
	table := []*Op{
		Literal(types.Typ[types.Int]), Literal(types.Typ[types.String]),
		Literal(types.Typ[types.Float64]), Zero(bytes),
		call("Outer"), call("inner"), call("Text"), call("Depth"),
	}
	crash := instrument.TargetFrame{
		Func: funcs["inner"], Line: lineWith(t, file, "// the crash"), Kind: "index",
	}
	outerLine := lineWith(t, file, "// the outer place")
	outer := func(a int, text string) Program {
		return Program{{Op: 0, Bits: uint64(int64(a))}, {Op: 1, Text: text},
			{Op: 4, Args: []int{0, 1}}}
	}
	text := func(s string, f float64) Program {
		return Program{{Op: 1, Text: s}, {Op: 3}, {Op: 2, Bits: math.Float64bits(f)},
			{Op: 6, Args: []int{0, 1, 2}}}
	}
	for _, tt := range []struct {
		name   string
		target []instrument.TargetFrame
		// nearer are candidates, each nearer than the one before, or as near if equal holds
		// its index; the last one crashes.
		nearer []Program
		equal  map[int]bool
		// missed is the result of MissedSteps for candidate 1.
		missed string
	}{
		{
			"two frames",
			[]instrument.TargetFrame{
				crash, {Func: funcs["Outer"], Line: outerLine},
			},
			[]Program{
				{{Op: 0, Bits: 1}}, // calls nothing
				outer(1, ""), outer(9, ""), outer(10, "key"), outer(11, ""),
				outer(11, "abc"), outer(12, "keyy"), outer(12, "key"),
				outer(11, "key"), outer(13, "key"), outer(15, "key"),
			},
			nil,
			`1 [!(a <= 10) text == "key" control comes to line 12 i < a i == 3 || a == 20 ` +
				`control comes to line 15] true`,
		},
		{
			"inner frame",
			[]instrument.TargetFrame{crash},
			[]Program{
				outer(1, ""),
				{{Op: 0, Bits: math.MaxUint64 - 1}, {Op: 5, Args: []int{0}}}, // -2
				{{Op: 0, Bits: math.MaxUint64}, {Op: 5, Args: []int{0}}},     // -1
				{{Op: 0, Bits: 1}, {Op: 5, Args: []int{0}}},
				{{Op: 0, Bits: 0}, {Op: 5, Args: []int{0}}},
				{{Op: 0, Bits: 2}, {Op: 5, Args: []int{0}}},
				{{Op: 0, Bits: 4}, {Op: 5, Args: []int{0}}},
			},
			nil,
			`0 [!(n < 0) !(n%2 == 1) || !(n != 7) !(strings.Repeat("a", n) == "") ` +
				`control comes to line 30 control comes to line 31] true`,
		},
		{
			"slice",
			[]instrument.TargetFrame{{Func: funcs["Text"],
				Line: lineWith(t, file, "// the slice"), Kind: "slice-bounds"}},
			[]Program{text("a", 0), text("a", 0.4), text("ab", 0.6), text("abc", 0.6),
				text("ab\v", 0.6), text("ab\n", 0.6)},
			nil, `0 [f > 0.5 len(s) != 2 x == "\n" control comes to line 51] true`,
		},
		{
			"unknown line",
			[]instrument.TargetFrame{{Func: funcs["Text"], Kind: "slice-bounds"}},
			[]Program{outer(1, ""), text("ab\v", 0.6), text("ab\n", 0.6)},
			map[int]bool{2: true}, `0 [] true`,
		},
		{
			"two frames in one function",
			[]instrument.TargetFrame{
				{Func: funcs["Depth"], Line: lineWith(t, packet, "// the innermost frame"), Kind: "index"},
				{Func: funcs["Depth"], Line: lineWith(t, packet, "// the outer call")},
			},
			[]Program{{{Op: 1, Text: "["}, {Op: 7, Args: []int{0}}}, {{Op: 1, Text: "[("}, {Op: 7, Args: []int{0}}}},
			nil, `0 [] true`,
		},
		{
			"a recursion, the deeper the nearer",
			[]instrument.TargetFrame{
				{Func: funcs["Depth"], Line: lineWith(t, packet, "// the outer call"), Kind: "stack-overflow"},
			},
			[]Program{
				{{Op: 1, Text: "("}, {Op: 7, Args: []int{0}}}, {{Op: 1, Text: "[("}, {Op: 7, Args: []int{0}}},
				{{Op: 1, Text: "[[("}, {Op: 7, Args: []int{0}}}, {{Op: 1, Text: "[[[("}, {Op: 7, Args: []int{0}}},
			},
			nil, `0 [] true`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := Build(context.Background(), prog, pkg, table,
				BuildOptions{Reset: ResetReinit, Targets: [][]instrument.TargetFrame{tt.target}})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			r := h.NewRunner(DefaultLimits)
			defer r.Close()
			events, err := r.Run(context.Background(), tt.nearer)
			if err != nil {
				t.Fatal(err)
			}
			frame, steps, ok := h.MissedSteps(0, float64(r.Distances[1]))
			if got := fmt.Sprint(frame, steps, ok); got != tt.missed {
				t.Errorf("candidate 1 missed %s, want %s", got, tt.missed)
			}
			last := len(tt.nearer) - 1
			crashed := false
			for _, e := range events {
				crashed = crashed || e.Kind == "panic" && e.Index == last
			}
			if !crashed || r.Stacks[last] == 0 {
				t.Errorf("the last candidate does not crash: %+v", events)
			}
			for i := range tt.nearer[1:] {
				a, b := r.Distances[i], r.Distances[i+1]
				if tt.equal[i+1] && a != b || !tt.equal[i+1] && a <= b {
					t.Errorf("candidate %d has distance %v, the next one %v", i,
						a, b)
				}
			}
		})
	}
}
