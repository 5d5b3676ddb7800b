package vcgen

import (
	"dsd/check/ir"
	"dsd/check/logic"
)

// pathCond is the condition of being in a state, as a list of conjuncts that grows at its end.
// Lists share their beginnings; nil is true.
type pathCond struct {
	up    *pathCond // the conjuncts before
	cond  *logic.Term
	depth int    // number of conjuncts
	used  string // id of the invariant that the conjunct comes from, "" if from none
	// asserted marks the condition of an assertion that held. It does not tell two paths apart.
	asserted bool
	// branch is the branch of the program that the conjunct comes from, nil if from none;
	// taken says whether it went to Then, calls where the branch is.
	branch *ir.Branch
	taken  bool
	calls  []Call
}

// push returns g with one more conjunct.
func (g *pathCond) push(cond *logic.Term, used string) *pathCond {
	d := 1
	if g != nil {
		d = g.depth + 1
	}
	return &pathCond{up: g, cond: cond, depth: d, used: used}
}

// conjuncts returns the conjuncts, last one first, and the ids of invariants among them.
func (g *pathCond) conjuncts() (conds []*logic.Term, used []string) {
	for ; g != nil; g = g.up {
		conds = append(conds, g.cond)
		if g.used != "" {
			used = append(used, g.used)
		}
	}
	return conds, used
}

// maxSearch is the number of conjuncts, the last ones, that holds looks at.
const maxSearch = 300

// holds reports whether cond is one of the last conjuncts.
func (g *pathCond) holds(cond *logic.Term) bool {
	for n := 0; g != nil && n < maxSearch; n++ {
		if g.cond == cond {
			return true
		}
		g = g.up
	}
	return false
}
