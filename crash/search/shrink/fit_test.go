package shrink

import (
	"go/token"
	"go/types"
	"slices"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
)

// TestFit: the fields of a configuration get the values that they had in tests, all together, if the predicate holds
// of that; results that come later are numbered anew.
func TestFit(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	count := types.NewField(token.NoPos, pkg, "Count", integer, false)
	size := types.NewField(token.NoPos, pkg, "Size", integer, false)
	other := types.NewField(token.NoPos, pkg, "Other", integer, false)
	config := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Config", nil),
		types.NewStruct([]*types.Var{count, size, other}, nil), nil)
	const (
		number = iota
		written
		use
	)
	table := []*candidate.Op{
		number: candidate.Literal(integer), written: candidate.Composite(config, false, []*types.Var{count, size, other}),
		use: {Name: "Use", In: []types.Type{config, integer}},
	}
	observed := func(o *candidate.Op, arg int, b *types.Basic) []constants.Value {
		if arg < len(o.Fields) && o.Fields[arg] != other {
			return []constants.Value{{Bits: uint64(20 + arg)}, {Bits: 40}}
		}
		return nil
	}
	p := candidate.Program{{Op: number, Bits: 7}, {Op: written, Args: []int{0, 0, 0}}, {Op: use, Args: []int{1, 0}}}
	fitted := func(count, size uint64) candidate.Program {
		return candidate.Program{{Op: number, Bits: 7}, {Op: number, Bits: count}, {Op: number, Bits: size},
			{Op: written, Args: []int{1, 2, 0}}, {Op: use, Args: []int{3, 0}}}
	}
	for _, tt := range []struct {
		name string
		pred func(p candidate.Program) bool
		want candidate.Program
	}{
		{"any", func(candidate.Program) bool { return true }, fitted(20, 21)},
		{"the other values", func(p candidate.Program) bool { return p[1].Bits == 40 }, fitted(40, 40)},
		{"none", func(candidate.Program) bool { return false }, p},
	} {
		before := slices.Clone(p)
		tried := 0
		got := Fit(p, observed, Config{Table: table, Pkg: pkg, Pred: func(p candidate.Program) bool { tried++; return tt.pred(p) }})
		same := func(a, b candidate.Stmt) bool { return equal(a, b) && a.Bits == b.Bits }
		if !slices.EqualFunc(got, tt.want, same) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if !slices.EqualFunc(p, before, same) || tried > 2 {
			t.Errorf("%s: the candidate was changed, or %d were tried for two values", tt.name, tried)
		}
	}
}
