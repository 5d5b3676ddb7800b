package vcgen

import (
	"dsd/check/ir"
	"dsd/check/logic"
)

// pathCond is the condition of being somewhere, as a list of conjuncts that grows at its end; lists share their
// beginnings.
type pathCond struct {
	up    *pathCond
	cond  *logic.Term
	depth int
	used  string // id of the invariant that put it there
	// asserted marks the condition of an assertion that held: it tells no two ways through a program apart.
	asserted bool
	// Of a branch that the program states: where and what, whether it was taken, and in which call.
	branch *ir.Branch
	taken  bool
	calls  []Call
}

func (g *pathCond) push(cond *logic.Term, used string) *pathCond {
	d := 1
	if g != nil {
		d = g.depth + 1
	}
	return &pathCond{up: g, cond: cond, depth: d, used: used}
}

// holds says that cond is one of the last conjuncts.
func (g *pathCond) holds(cond *logic.Term) bool {
	for n := 0; g != nil && n < 300; n++ {
		if g.cond == cond {
			return true
		}
		g = g.up
	}
	return false
}
