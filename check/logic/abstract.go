package logic

import "fmt"

// AbstractFloats replaces floating-point operations and conversions in the terms by variables,
// equal operations by the same variable, if there are more than limit of them. A solver turns each
// operation into thousands of gates, so a dozen of them can exceed any budget.
//
// The abstraction is sound for "unsat": if the old terms are satisfiable, so are the new ones. A
// model of the new terms must be checked against the old ones.
func AbstractFloats(b *Builder, terms []*Term, limit int) []*Term {
	n := 0
	seen := map[*Term]bool{}
	var count func(t *Term)
	count = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if floatArith(t.Op) {
			n++
		}
		for _, a := range t.Args {
			count(a)
		}
	}
	for _, t := range terms {
		count(t)
	}
	if n <= limit {
		return terms
	}
	memo := map[*Term]*Term{}
	var replace func(t *Term) *Term
	replace = func(t *Term) *Term {
		if r, ok := memo[t]; ok {
			return r
		}
		r := t
		switch {
		case floatArith(t.Op):
			r = b.Var(&Var{Name: fmt.Sprintf("float %d", t.ID), Sort: t.Sort})
		case len(t.Args) > 0:
			args := make([]*Term, len(t.Args))
			for i, a := range t.Args {
				args[i] = replace(a)
			}
			r = b.Apply(t, args)
		}
		memo[t] = r
		return r
	}
	out := make([]*Term, len(terms))
	for i, t := range terms {
		out[i] = replace(t)
	}
	return out
}

// floatArith reports whether AbstractFloats replaces op. Comparisons and negation remain.
func floatArith(op Op) bool {
	switch op {
	case OpFAdd, OpFSub, OpFMul, OpFDiv, OpFFromS, OpFFromU, OpFToS, OpFToU, OpFToF, OpFBits:
		return true
	}
	return false
}
