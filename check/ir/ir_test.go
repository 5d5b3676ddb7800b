package ir

import (
	"os"
	"reflect"
	"testing"

	"dsd/check/logic"
)

// count returns the function
//
//	i := 0; for i < n { i++ }; return i
func count() *Func {
	b := logic.NewBuilder()
	n := &logic.Var{Name: "n", Sort: logic.Int, Index: 0}
	i := &logic.Var{Name: "i", Sort: logic.Int, Index: 1}
	one := b.Const(logic.Int, 1)
	less := b.Cmp(logic.OpSLt, b.Var(i), b.Var(n))
	return &Func{
		Name: "p.Count", Params: []*logic.Var{n}, Results: []*logic.Var{i}, NumVars: 2,
		Blocks: []*Block{
			{Index: 0, Cmds: []Cmd{&Assign{i, b.Const(logic.Int, 0)}}, End: Jump{1}},
			{Index: 1, End: Branch{Cond: less, Then: 2, Else: 3}},
			{Index: 2, Cmds: []Cmd{&Assign{i, b.Add(b.Var(i), one)}}, End: Jump{1}},
			{Index: 3, End: Return{}},
		},
		Loops: map[int]*Loop{1: {Head: 1, Last: 2}},
	}
}

func ExampleFunc_Dump() {
	count().Dump(os.Stdout)
	// Output:
	// func p.Count(n) (i)
	// 0:
	//   i := 0
	//   goto 1
	// 1: loop to 2
	//   if (bvslt i n) goto 2 else 3
	// 2:
	//   i := (bvadd i 1)
	//   goto 1
	// 3:
	//   return
}

func TestCheck(t *testing.T) {
	const noLoop = "p.Count: block 2 jumps back to block 1, which is not the head of a loop around it"
	for _, tt := range []struct {
		name   string
		change func(f *Func)
		want   string
	}{
		{"well formed", func(f *Func) {}, ""},
		{"unsupported", func(f *Func) { f.Blocks[0].End, f.Unsupported = nil, "cgo" }, ""},
		{"number", func(f *Func) { f.Blocks[3].Index = 2 },
			"p.Count: block 3 is numbered 2"},
		{"no end", func(f *Func) { f.Blocks[3].End = nil }, "p.Count: block 3 has no end"},
		{"no block", func(f *Func) { f.Blocks[0].End = Jump{4} },
			"p.Count: block 0 jumps to block 4, which does not exist"},
		{"no loop", func(f *Func) { f.Loops = nil },
			noLoop},
		{"short loop", func(f *Func) { f.Loops[1].Last = 1 },
			noLoop},
	} {
		f := count()
		tt.change(f)
		got := ""
		if err := f.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: Check = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestOriginOf(t *testing.T) {
	for key, want := range map[string]Origin{
		"m/p.F":                 FromSource,
		"m/p.(*T).M":            FromSource,
		"m/p.F{int}.func1":      FromSource,
		"<model>strings.Index":  FromModel,
		"<bound>*m/p.T.M":       FromWrapper,
		"<init>m/p.v":           FromWrapper,
		"<m/p.T>.M":             FromWrapper,
		"<defer>m/p.F-range1-2": FromWrapper,
	} {
		if got := OriginOf(key); got != want {
			t.Errorf("OriginOf(%q) = %d, want %d", key, got, want)
		}
	}
}

func TestLive(t *testing.T) {
	f := count()
	want := [][]bool{{true, false}, {true, true}, {true, true}, {false, true}}
	if got := f.Live(); !reflect.DeepEqual(got, want) {
		t.Errorf("Live = %v, want %v", got, want)
	}
	// With deferred calls, what they read is live everywhere.
	unwound := &logic.Var{Name: "unwound", Sort: logic.Bool, Index: 2}
	f.NumVars, f.Unwound, f.Unwind = 3, unwound, 4
	f.Blocks = append(f.Blocks, &Block{Index: 4, End: Unwind{}})
	for i, vars := range f.Live() {
		if !vars[unwound.Index] {
			t.Errorf("Live: unwound is not live in block %d", i)
		}
	}
}
