package vcgen

import (
	"go/token"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// assert records an obligation, and assumes that it holds; it reports whether it can hold.
func (e *executor) assert(c *ir.Assert, s *state) bool { return e.oblige(c, e.subst(c.Cond, s), s) }

// oblige is assert for a condition that is a term over the inputs.
func (e *executor) oblige(c *ir.Assert, cond *logic.Term, s *state) bool {
	if c.IfKnown && !cond.IsFalse() {
		return true
	}
	if cond.IsTrue() || s.guard.holds(cond) || e.inRange(cond, s) {
		e.prog.Folded++
		return true
	}
	if e.proved(c) {
		e.prog.Folded++
		return e.assumeAsserted(s, cond)
	}
	o := &Obligation{Assert: c, Cond: cond, Kind: c.Kind, Message: c.Message,
		Uncertain: e.uncertain, HavocedBefore: len(e.prog.Havoced)}
	for _, l := range e.frames[0].loops {
		o.Passes = max(o.Passes, l.passes)
	}
	o.Calls, o.Pos = e.callPath(c.Pos)
	if c.Ptr != nil {
		o.Ptr = e.subst(c.Ptr, s)
	}
	for g := s.guard; g != nil; g = g.up {
		o.Path = append(o.Path, g.cond)
		if g.used != "" {
			o.Used = append(o.Used, g.used)
		}
		if g.branch != nil && hasPrefix(e.calls, g.calls) {
			o.Branches = append(o.Branches, BranchStep{g.branch.Pos, g.branch.Text, g.taken, len(g.calls)})
		}
	}
	slices.Reverse(o.Branches)
	var list []*Obligation
	h := e.handler()
	if e.reportedHere(o) {
		list = append(list, o)
	}
	if len(e.frames) == 1 && (list == nil || h >= 0) { // recovered, or reported elsewhere
		e.prog.Unchecked[c] = true
	}
	if h >= 0 {
		if e.opt.Recovered {
			for _, o := range list {
				n := *o // unwinding changes o
				e.prog.Recovered = append(e.prog.Recovered, &n)
			}
		}
		e.recoverable(h, list, cond, c, s)
	} else {
		e.prog.Obligations = append(e.prog.Obligations, list...)
	}
	return e.assumeAsserted(s, cond)
}

// proved reports whether an assertion of an inlined function is known to hold in all calls. That is
// known for as many passes of its loops as were followed when the function was analyzed alone.
func (e *executor) proved(c *ir.Assert) bool {
	if e.opt.Proved == nil || len(e.frames) == 1 {
		return false
	}
	top := e.frames[len(e.frames)-1]
	if top.contractViolated {
		return false
	}
	for _, l := range top.loops {
		if l.passes > e.opt.Unroll {
			return false
		}
	}
	return e.opt.Proved(c)
}

// hasPrefix reports whether calls begin with outer: control has not left that call since.
func hasPrefix(calls, outer []Call) bool {
	return len(outer) <= len(calls) && slices.Equal(calls[:len(outer)], outer)
}

// assumeAsserted assumes the condition of an assertion, and reports whether s can go on.
func (e *executor) assumeAsserted(s *state, cond *logic.Term) bool {
	before := s.guard
	if !e.assume(s, cond, "") {
		return false
	}
	if s.guard != before {
		s.guard.asserted = true
	}
	return true
}

// inRange reports whether cond is an unsigned i < n, where i < n is known as a signed comparison
// and i is not negative: the usual loop over a slice.
func (e *executor) inRange(cond *logic.Term, s *state) bool {
	if cond.Op != logic.OpULt {
		return false
	}
	i, n := cond.Args[0], cond.Args[1]
	return e.b.NotNegative(i) && s.guard.holds(e.b.Cmp(logic.OpSLt, i, n))
}

// reportedHere reports whether an obligation is one of the function under analysis. It is not
//
//   - if an exported function on the way is analyzed by itself, for all arguments, unless the panic
//     may mean that the arguments were wrong;
//   - if it depends on the result of a call that was havoced for lack of budget, which may be
//     anything.
func (e *executor) reportedHere(o *Obligation) bool {
	if e.opt.Select != nil {
		return e.opt.Select(o.Calls, o.Pos, o.Kind)
	}
	if e.isBudgetDependent(o.Cond) {
		e.bound("conditions on the results of calls that are not followed")
		return false
	}
	for i, f := range e.frames[1:] {
		direct := i == 0 && len(e.frames) == 2
		if f.f.Analyzed && !direct {
			return o.Kind == schemas.ExplicitPanic || o.Ptr != nil && slices.Contains(f.args, o.Ptr)
		}
	}
	return true
}

// isBudgetDependent reports whether a term depends on the result of a call that was havoced for
// lack of budget.
func (e *executor) isBudgetDependent(t *logic.Term) bool {
	if len(e.budgetHavoc) == 0 {
		return false
	}
	if known, ok := e.dependsOnBudget[t]; ok {
		return known
	}
	is := t.Var != nil && e.budgetHavoc[t.Var]
	for _, a := range t.Args {
		is = is || e.isBudgetDependent(a)
	}
	e.dependsOnBudget[t] = is
	return is
}

// recoverable sends the panic of a failing assertion to the deferred calls of frame h.
func (e *executor) recoverable(h int, list []*Obligation, cond *logic.Term, c *ir.Assert,
	s *state) {
	t := s.fork()
	if !e.assume(t, e.b.Not(cond), "") {
		return
	}
	var value []*logic.Term
	for _, v := range c.Value {
		value = append(value, e.subst(v, s))
	}
	e.raisePanic(h, list, value, t)
}

// callPath returns the calls that lead to pos, without wrappers, which have no position of their
// own. What happens in a model of the standard library happens where it is called.
func (e *executor) callPath(pos token.Pos) ([]Call, token.Pos) {
	var out []Call
	var outer token.Pos // the innermost valid position so far
	for _, c := range e.calls {
		if !c.Pos.IsValid() {
			c.Pos = outer
		}
		outer = c.Pos
		switch c.origin {
		case ir.FromModel:
			return out, outer
		case ir.FromSource:
			out = append(out, c)
		}
	}
	if !pos.IsValid() {
		pos = outer
	}
	return out, pos
}
