package check

import (
	"fmt"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// result is what came of one function.
type result struct {
	warnings []*found
	bounded  []string
	stats    schemas.CheckStats
	err      error
	pre      bool
}

// found is an obligation that may fail: what is to be said of it, without its terms, which take much room.
type found struct {
	kind     schemas.Kind
	message  string
	pos      token.Pos
	calls    []vcgen.Call
	branches []vcgen.BranchStep
	ptr      *logic.Var   // what a nil dereference dereferences, if it is an input
	model    *logic.Model // nil if unknown
	used     []string
	returned []returned // by calls that were not followed, in order
	received []received // from channels, in order
}

// returned is what a call that was not followed is taken to return; from is where the function value was that it called.
type returned struct {
	callee  string
	results *types.Tuple
	vars    []*logic.Var
	from    place
}

// received is what came from a channel, an object; ok is false of one that is closed and empty.
type received struct {
	obj  uint32
	ok   bool
	elem types.Type
	vars []*logic.Var
}

// place is that of an input: a variable, or a slot of an object in the memory variable.
type place struct {
	v    *logic.Var
	obj  uint32
	slot uint64
}

// inputOf is the place that the value of t comes from under a model, the zero place if it is computed, or t nil.
func inputOf(t *logic.Term, m *logic.Model) place {
	for t != nil {
		switch t.Op {
		case logic.OpIte:
			if m.Eval(t.Args[0]) == 1 {
				t = t.Args[1]
			} else {
				t = t.Args[2]
			}
			continue
		case logic.OpVar:
			return place{v: t.Var}
		case logic.OpSelect:
			return place{t.Var, uint32(m.Eval(t.Args[0])), m.Eval(t.Args[1])}
		default:
			return place{}
		}
	}
	return place{}
}

func newFound(o *vcgen.Obligation, p *vcgen.Program, model *logic.Model) *found {
	f := &found{kind: o.Kind, message: o.Message, pos: o.Pos, calls: o.Calls, branches: o.Branches, model: model, used: o.Used}
	if model != nil {
		for _, open := range vcgen.Reached(model, p.Havoced[:o.HavocedBefore]) {
			if open.Chan != nil {
				f.received = append(f.received, received{uint32(model.Eval(open.Chan)), model.Vars[open.OK] == 1, open.Sig.Results().At(0).Type(), open.Vars})
				continue
			}
			f.returned = append(f.returned, returned{open.Callee, open.Sig.Results(), open.Vars, inputOf(open.Fn, model)})
		}
	}
	if o.Ptr != nil && o.Ptr.Op == logic.OpVar {
		f.ptr = o.Ptr.Var
	}
	return f
}

// site identifies the warning that an obligation belongs to: copies of it in unrolled loops share one.
type site struct {
	kind  schemas.Kind
	pos   token.Pos
	calls string
	param bool // of the dereference of an input itself, which is less telling than one of what it holds
}

func siteOf(o *vcgen.Obligation) site {
	s := site{kind: o.Kind, pos: o.Pos, param: o.Ptr != nil && o.Ptr.Op == logic.OpVar}
	for _, call := range o.Calls {
		s.calls += fmt.Sprint(call.Pos, " ")
	}
	return s
}
