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
	for i, m := range s.mem {
		if m != last.mem[i] {
			return true
		}
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
		case step != 0 && limits(s.guard, last.guard, y, int64(step<<(64-x.Sort.Bits)) < 0):
			away = append(away, e.b.False())
		case int64(step<<(64-x.Sort.Bits)) < 0:
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
// from below, if down is set, or else from above.
func limits(g, from *pathCond, t *logic.Term, down bool) bool {
	vars := map[*logic.Var]bool{}
	for _, leaf := range logic.Leaves(t) {
		vars[leaf.Var] = true
	}
	has := func(t *logic.Term) bool {
		for _, leaf := range logic.Leaves(t) {
			if vars[leaf.Var] {
				return true
			}
		}
		return false
	}
	// limited is limits for a condition that holds, or does not.
	var limited func(c *logic.Term, holds bool) bool
	limited = func(c *logic.Term, holds bool) bool {
		switch c.Op {
		case logic.OpNot:
			return limited(c.Args[0], !holds)
		case logic.OpAnd, logic.OpOr:
			for _, a := range c.Args {
				if limited(a, holds) {
					return true
				}
			}
		case logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe:
			less, greater := c.Args[0], c.Args[1]
			if !holds {
				less, greater = greater, less
			}
			return down && has(greater) || !down && has(less)
		}
		return false
	}
	for ; g != nil && g != from; g = g.up {
		if limited(g.cond, true) {
			return true
		}
	}
	return false
}
