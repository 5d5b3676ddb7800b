package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// unchangedReceiver returns the invariant that a method leaves its receiver unchanged: *s ==
// old(*s). It requires at least two observed parts of the receiver, all of them unchanged.
func (p *Point) unchangedReceiver() (inv learned, ok bool) {
	root := p.decl.Receiver
	if p.decl.At != schemas.AtExit || root == "" {
		return inv, false
	}
	n := 0
	declared := len(p.decl.Vars) - len(p.derived)
	for i, v := range p.decl.Vars {
		name, old := expr.CutOld(v.Name)
		if !old || !isPartOf(name, root) || kindOf(v.Rep) == sequence && i >= declared {
			continue
		}
		same := false
		for j, w := range p.decl.Vars {
			if w.Name == name && w.Rep == v.Rep {
				same = p.leader(i) == p.leader(j)
			}
		}
		if !same {
			return inv, false
		}
		n++
	}
	confidence := confidenceOf(0.5, p.rows)
	if n < 2 || confidence < p.Confidence {
		return inv, false
	}
	all := &expr.Deref{X: expr.Var(root)}
	cond := expr.Eq(all, &expr.Old{X: all})
	return learned{schemas.Invariant{
		Template:   "unchanged-receiver",
		Vars:       []string{root},
		Expr:       cond.String(),
		Samples:    p.samples,
		Confidence: roundDown(confidence),
	}, cond}, true
}

// isPartOf reports whether a variable is a part of root, or the length or capacity of one: s.items,
// len(s.items).
func isPartOf(name, root string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "len("), "cap(")
	return strings.HasPrefix(name, root+".")
}
