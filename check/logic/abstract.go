package logic

import "fmt"

// AbstractFloats replaces the results of floating-point arithmetic and conversions in the terms by variables, the same
// one for the same operation, if there are more than most such operations. Solvers turn each into thousands of gates,
// and a dozen of them can take all the time there is. The new terms follow from the old ones, so that "unsat" carries
// over; a model must be checked against the old terms.
func AbstractFloats(b *Builder, terms []*Term, most int) []*Term {
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
	if n <= most {
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

func floatArith(op Op) bool {
	switch op {
	case OpFAdd, OpFSub, OpFMul, OpFDiv, OpFFromS, OpFFromU, OpFToS, OpFToU, OpFToF, OpFBits:
		return true
	}
	return false
}
