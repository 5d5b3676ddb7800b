package vcgen

import (
	"dsd/check/logic"
)

// merge joins two states that come to the same block; live says which locals matter (nil: all).
func (e *executor) merge(p, q *state, live []bool) *state {
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
	restP, restQ, both := splitShared(restP, restQ)
	g := common
	for _, c := range both {
		g = g.push(c.cond, c.used)
		g.asserted = c.asserted
	}
	sel, keep := e.selector(restP, restQ)
	if !keep {
		g = e.pushIf(g, e.b.Or(sel, e.b.And(conds(decisions(restQ))...)), firstUsed(restP, restQ), false)
	}
	for _, side := range []struct {
		rest []*pathCond
		not  *logic.Term
	}{{restP, e.b.Not(sel)}, {restQ, sel}} {
		n := 0
		for i := len(side.rest) - 1; i >= 0; i-- {
			if side.rest[i].asserted {
				n++
			}
		}
		for _, c := range side.rest {
			if c.asserted {
				if n--; n >= maxPassed {
					continue
				}
			} else if !keep {
				continue // it is in the selector
			}
			g = e.pushIf(g, e.b.Or(side.not, c.cond), c.used, c.asserted)
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
func (e *executor) selector(p, q []*pathCond) (sel *logic.Term, whole bool) {
	wayP, wayQ := decisions(p), decisions(q)
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

// decisions are the conjuncts that say which way was taken.
func decisions(list []*pathCond) []*pathCond {
	var out []*pathCond
	for _, g := range list {
		if !g.asserted {
			out = append(out, g)
		}
	}
	return out
}

// splitShared splits off the conjuncts that two lists have in common.
func splitShared(p, q []*pathCond) (restP, restQ, both []*pathCond) {
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
	without := func(list []*pathCond) []*pathCond {
		var out []*pathCond
		for _, g := range list {
			if !common[g.cond] {
				out = append(out, g)
			}
		}
		return out
	}
	return without(p), without(q), both
}

func (e *executor) pushIf(g *pathCond, cond *logic.Term, used string, passed bool) *pathCond {
	if cond.IsTrue() {
		return g
	}
	g = g.push(cond, used)
	g.asserted = passed
	return g
}

func (e *executor) join(sel, x, y *logic.Term) *logic.Term {
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
func since(g, up *pathCond) []*pathCond {
	var out []*pathCond
	for ; g != up; g = g.up {
		out = append(out, g)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func conds(list []*pathCond) []*logic.Term {
	out := make([]*logic.Term, len(list))
	for i, g := range list {
		out[i] = g.cond
	}
	return out
}

func firstUsed(lists ...[]*pathCond) string {
	for _, l := range lists {
		for _, g := range l {
			if g.used != "" {
				return g.used
			}
		}
	}
	return ""
}
