package vcgen

import "dsd/check/logic"

// merge joins two states that come to the same block. live says which locals are read later; nil
// means all.
//
// With the common conjuncts C, and P and Q what else holds in each, the merged state has the path
// condition C && (sel => P) && (!sel => Q), and each variable the value ite(sel, p, q): the
// continuation is executed once, not once per path [WP 4].
func (e *executor) merge(p, q *state, live []bool) *state {
	// The first conjunct that differs usually tells the two apart.
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
		not  *logic.Term // the condition of the other side
	}{{restP, e.b.Not(sel)}, {restQ, sel}} {
		n := 0
		for i := len(side.rest) - 1; i >= 0; i-- {
			if side.rest[i].asserted {
				n++
			}
		}
		for _, c := range side.rest {
			if c.asserted {
				if n--; n >= maxAsserted {
					continue
				}
			} else if !keep {
				continue // it is part of the selector
			}
			g = e.pushIf(g, e.b.Or(side.not, c.cond), c.used, c.asserted)
		}
	}
	out := &state{guard: g, locals: make([]*logic.Term, len(p.locals))}
	for i := range p.locals {
		if live == nil || live[i] {
			out.locals[i] = e.join(sel, p.locals[i], q.locals[i])
		}
	}
	out.mem = p.mem.join(q.mem, func(x, y *logic.Term) *logic.Term { return e.b.Ite(sel, x, y) })
	return out
}

// maxAsserted is the number of assertions that held on one path that are kept after it joins
// another.
const maxAsserted = 24

// selector returns a condition that is true on the path p and false on the path q. keep reports
// whether the other conjuncts of the two are not part of it, and must be kept.
func (e *executor) selector(p, q []*pathCond) (sel *logic.Term, keep bool) {
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

// decisions returns the conjuncts that say which path was taken.
func decisions(list []*pathCond) []*pathCond {
	var out []*pathCond
	for _, g := range list {
		if !g.asserted {
			out = append(out, g)
		}
	}
	return out
}

// splitShared splits off the conjuncts that two lists have in common, in the order of p.
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

// pushIf is pathCond.push for a condition that may be true.
func (e *executor) pushIf(g *pathCond, cond *logic.Term, used string, passed bool) *pathCond {
	if cond.IsTrue() {
		return g
	}
	g = g.push(cond, used)
	g.asserted = passed
	return g
}

// join returns ite(sel, x, y); nil stands for a value that is not assigned.
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

// since returns the conjuncts of g after its ancestor up, in order.
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

// firstUsed returns the first id of an invariant among conjuncts.
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
