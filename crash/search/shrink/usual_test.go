package shrink

import (
	"go/token"
	"go/types"
	"slices"
	"testing"

	"dsd/crash/candidate"
)

// TestUsual: a box that is written by hand becomes one that a constructor returns, and a nil that is passed as any
// value becomes 0, if the predicate holds.
func TestUsual(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	boxType := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Box", nil), types.NewStruct(nil, nil), nil)
	box, empty := types.NewPointer(boxType), types.NewInterfaceType(nil, nil)
	constructor := func(name string, in ...types.Type) *candidate.Op {
		var params []*types.Var
		for _, t := range in {
			params = append(params, types.NewParam(token.NoPos, pkg, "", t))
		}
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...),
			types.NewTuple(types.NewParam(token.NoPos, pkg, "", box)), false)
		return candidate.Call(types.NewFunc(token.NoPos, pkg, name, sig), nil, nil, sig)
	}
	put := &candidate.Op{Name: "Put", In: []types.Type{box, empty}, OnFirst: true}
	const (
		number = iota
		noBox
		written
		makeSized
		makeBox
		noValue
		asAny
		putIt
	)
	table := []*candidate.Op{
		number: candidate.Literal(integer), noBox: candidate.Zero(box), written: candidate.Composite(boxType, true, nil),
		makeSized: constructor("NewSized", integer), makeBox: constructor("New"),
		noValue: candidate.Zero(empty), asAny: candidate.Convert(empty, integer), putIt: put,
	}
	has := func(p candidate.Program, op int) bool {
		return slices.ContainsFunc(p, func(st candidate.Stmt) bool { return st.Op == op })
	}
	start := func(object int) candidate.Program {
		return candidate.Program{{Op: object}, {Op: noValue}, {Op: putIt, Args: []int{0, 1}}, {Op: putIt, Args: []int{0, 1}}}
	}
	for _, tt := range []struct {
		name string
		p    candidate.Program
		pred func(p candidate.Program) bool
		want candidate.Program
	}{
		{"all", start(written), func(p candidate.Program) bool { return true },
			candidate.Program{{Op: makeBox}, {Op: number}, {Op: asAny, Args: []int{1}},
				{Op: putIt, Args: []int{0, 2}}, {Op: putIt, Args: []int{0, 2}}}},
		{"the object is needed", start(written), func(p candidate.Program) bool { return has(p, written) },
			candidate.Program{{Op: written}, {Op: number}, {Op: asAny, Args: []int{1}},
				{Op: putIt, Args: []int{0, 2}}, {Op: putIt, Args: []int{0, 2}}}},
		{"the nil is needed", start(noBox), func(p candidate.Program) bool { return has(p, noValue) },
			candidate.Program{{Op: makeBox}, {Op: noValue}, {Op: putIt, Args: []int{0, 1}}, {Op: putIt, Args: []int{0, 1}}}},
		{"the other constructor", start(noBox), func(p candidate.Program) bool { return !has(p, makeBox) && has(p, noValue) },
			candidate.Program{{Op: number}, {Op: makeSized, Args: []int{0}}, {Op: noValue},
				{Op: putIt, Args: []int{1, 2}}, {Op: putIt, Args: []int{1, 2}}}},
		{"nothing", start(noBox), func(p candidate.Program) bool { return has(p, noBox) && has(p, noValue) }, start(noBox)},
	} {
		before := start(tt.p[0].Op)
		got := Usual(tt.p, Config{Table: table, Pkg: pkg, Pred: tt.pred})
		if !slices.EqualFunc(got, tt.want, equal) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if !slices.EqualFunc(tt.p, before, equal) {
			t.Errorf("%s: the candidate was changed", tt.name)
		}
	}
}

// TestUsualNil: a nil of a type of another package becomes what a function returns, unless the crash needs it.
func TestUsualNil(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	err := types.Universe.Lookup("error").Type()
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, pkg, "", err)), false)
	const (
		none = iota
		fail
		use
	)
	table := []*candidate.Op{
		none: candidate.Zero(err), fail: candidate.Call(types.NewFunc(token.NoPos, pkg, "Fail", sig), nil, nil, sig),
		use: {Name: "Use", In: []types.Type{err}},
	}
	p := candidate.Program{{Op: none}, {Op: use, Args: []int{0}}}
	for needed, want := range map[bool]int{false: fail, true: none} {
		got := Usual(p, Config{Table: table, Pkg: pkg, Pred: func(q candidate.Program) bool { return !needed || q[0].Op == none }})
		if len(got) != 2 || got[0].Op != want {
			t.Errorf("needed %v: %v", needed, got)
		}
	}
}

func equal(a, b candidate.Stmt) bool { return a.Op == b.Op && slices.Equal(a.Args, b.Args) }
