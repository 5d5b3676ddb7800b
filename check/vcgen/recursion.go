package vcgen

import (
	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// recursion records, at a call of a function that is being executed, the obligation that the
// recursion ends, and reports whether it can. It does not end if
//
//   - the arguments and all memories are those of the call before; or
//   - after two such calls, the memories are the same and only integers changed, each by a constant
//     step away from zero, and no condition on the path bounds them in that direction: such a
//     condition fails sooner or later, and ends the recursion. A function that recurs until such an
//     integer wraps around is reported, too.
func (e *executor) recursion(c *ir.Call, key string, args []*logic.Term, s *state) bool {
	var earlier []*frame // executions of the same function, newest first
	for i := len(e.frames) - 1; i >= e.base; i-- {
		if e.frames[i].key == key {
			earlier = append(earlier, e.frames[i])
		}
	}
	if len(earlier) == 0 || len(earlier) > 2 {
		return true
	}
	last := earlier[0]
	if !s.mem.equal(last.mem) {
		return true
	}
	var same, away []*logic.Term
	for i, x := range args {
		y := last.args[i]
		eq := e.b.Eq(x, y)
		same = append(same, eq)
		if x.Sort.Kind != logic.KBV {
			away = append(away, eq)
			continue
		}
		switch step, ok := e.b.Sub(x, y).Const(); {
		case !ok:
			away = append(away, eq)
		case step != 0 && limits(s.guard, last.guard, y, int64(step<<(64-x.Sort.Bits())) < 0):
			away = append(away, e.b.False())
		case int64(step<<(64-x.Sort.Bits())) < 0:
			away = append(away, e.b.Cmp(logic.OpSLt, y, e.b.Const(y.Sort, 0)))
		case step != 0:
			away = append(away, e.b.Cmp(logic.OpSLt, e.b.Const(y.Sort, 0), y))
		}
	}
	forever := e.b.And(same...)
	if len(earlier) == 2 {
		forever = e.b.Or(forever, e.b.And(away...))
	}
	if forever.IsFalse() {
		return true
	}
	return e.oblige(&ir.Assert{Kind: schemas.StackOverflow, Pos: c.Pos,
		Message: "the recursion does not end"}, e.b.Not(forever), s)
}

// limits reports whether a condition between two points of a path limits the variables of a term
// from below, if down is set, or else from above. The cost is linear in the size of the conditions.
func limits(g, from *pathCond, t *logic.Term, down bool) bool {
	vars := map[*logic.Var]bool{}
	for _, leaf := range logic.Leaves(t) {
		vars[leaf.Var] = true
	}
	l := limiter{
		down: down, vars: logic.NewFinder(func(l *logic.Term) bool { return vars[l.Var] }), without: map[condition]bool{},
	}
	for ; g != nil && g != from; g = g.up {
		if l.limited(condition{g.cond, true}) {
			return true
		}
	}
	return false
}

// condition is a term that holds, or does not.
type condition struct {
	term  *logic.Term
	holds bool
}

// limiter looks for bounds of variables in conditions, which share terms.
type limiter struct {
	down bool
	vars *logic.Finder
	// without are conditions that limit none.
	without map[condition]bool
}

func (l *limiter) limited(c condition) bool {
	if l.without[c] {
		return false
	}
	t := c.term
	switch t.Op {
	case logic.OpNot:
		return l.limited(condition{t.Args[0], !c.holds})

	case logic.OpAnd, logic.OpOr:
		for _, a := range t.Args {
			if l.limited(condition{a, c.holds}) {
				return true
			}
		}

	case logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe:
		less, greater := t.Args[0], t.Args[1]
		if !c.holds {
			less, greater = greater, less
		}
		if l.down && l.vars.In(greater) || !l.down && l.vars.In(less) {
			return true
		}
	}
	l.without[c] = true
	return false
}
