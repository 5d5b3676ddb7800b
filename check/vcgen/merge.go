package vcgen

import (
	"dsd/check/logic"
)

// merge joins two states that come to the same block; live says which locals matter (nil: all).
func (e *engine) merge(p, q *state, live []bool) *state {
	// What both have in common stays; of what is different, the first conjunct usually tells the two apart.
	common := p.guard
	other := q.guard
	for common != other {
		if other == nil || common != nil && common.depth >= other.depth {
			common = common.up
		} else {
			other = other.up
		}
	}
	restP, restQ := since(p.guard, common), since(q.guard, common)
	restP, restQ, both := shared(restP, restQ)
	g := common
	for _, c := range both {
		g = g.push(c.cond, c.used)
		g.passed = c.passed
	}
	sel, keep := e.selector(restP, restQ)
	if !keep {
		g = e.pushIf(g, e.b.Or(sel, e.b.And(conds(ways(restQ))...)), firstUsed(restP, restQ), false)
	}
	for _, side := range []struct {
		rest []*guard
		not  *logic.Term
	}{{restP, e.b.Not(sel)}, {restQ, sel}} {
		n := 0
		for i := len(side.rest) - 1; i >= 0; i-- {
			if side.rest[i].passed {
				n++
			}
		}
		for _, c := range side.rest {
			if c.passed {
				if n--; n >= maxPassed {
					continue
				}
			} else if !keep {
				continue // it is in the selector
			}
			g = e.pushIf(g, e.b.Or(side.not, c.cond), c.used, c.passed)
		}
	}
	out := &state{guard: g, locals: make([]*logic.Term, len(p.locals)), mem: make([]*logic.Term, len(p.mem))}
	for i := range p.locals {
		if live == nil || live[i] {
			out.locals[i] = e.join(sel, p.locals[i], q.locals[i])
		}
	}
	for i := range p.mem {
		out.mem[i] = e.join(sel, p.mem[i], q.mem[i])
	}
	return out
}

// maxPassed is how many assertions that held on one way are remembered after it joins another.
const maxPassed = 24

// selector is a condition that is true on the way of p and false on that of q; whole says that what else distinguishes
// them is still to be remembered.
func (e *engine) selector(p, q []*guard) (sel *logic.Term, whole bool) {
	wayP, wayQ := ways(p), ways(q)
	switch {
	case len(wayP) > 0 && len(wayQ) > 0 && wayP[0].cond == e.b.Not(wayQ[0].cond):
		return wayP[0].cond, true
	case len(wayP) == 0 && len(wayQ) == 0:
		return e.b.And(conds(p)...), true
	case len(wayP) == 0:
		return e.b.Not(e.b.And(conds(wayQ)...)), true
	case len(wayQ) == 0:
		return e.b.And(conds(wayP)...), true
	}
	return e.b.And(conds(wayP)...), false
}

// ways are the conjuncts that say which way was taken.
func ways(list []*guard) []*guard {
	var out []*guard
	for _, g := range list {
		if !g.passed {
			out = append(out, g)
		}
	}
	return out
}

// shared splits off the conjuncts that two lists have in common.
func shared(p, q []*guard) (restP, restQ, both []*guard) {
	in := map[*logic.Term]bool{}
	for _, g := range q {
		in[g.cond] = true
	}
	common := map[*logic.Term]bool{}
	for _, g := range p {
		if in[g.cond] && !common[g.cond] {
			common[g.cond] = true
			both = append(both, g)
		}
	}
	if len(both) == 0 {
		return p, q, nil
	}
	without := func(list []*guard) []*guard {
		var out []*guard
		for _, g := range list {
			if !common[g.cond] {
				out = append(out, g)
			}
		}
		return out
	}
	return without(p), without(q), both
}

func (e *engine) pushIf(g *guard, cond *logic.Term, used string, passed bool) *guard {
	if cond.IsTrue() {
		return g
	}
	g = g.push(cond, used)
	g.passed = passed
	return g
}

func (e *engine) join(sel, x, y *logic.Term) *logic.Term {
	switch {
	case x == y:
		return x
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return e.b.Ite(sel, x, y)
}

// since lists the conjuncts of g after its ancestor up, first one first.
func since(g, up *guard) []*guard {
	var out []*guard
	for ; g != up; g = g.up {
		out = append(out, g)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func conds(list []*guard) []*logic.Term {
	out := make([]*logic.Term, len(list))
	for i, g := range list {
		out[i] = g.cond
	}
	return out
}

func firstUsed(lists ...[]*guard) string {
	for _, l := range lists {
		for _, g := range l {
			if g.used != "" {
				return g.used
			}
		}
	}
	return ""
}
