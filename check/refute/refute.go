package refute

import (
	"slices"

	"dsd/check/logic"
)

// Limits of what is tried.
const (
	// maxSteps is the number of rounds of propagation and differences.
	maxSteps = 4
	// maxTries is the number of operands of disjunctions that are assumed to be true, and triedWork the number of
	// terms that this may take.
	maxTries  = 64
	triedWork = 40_000
)

// Refuter refutes graphs, one after the other in the same memory. The zero value has none. It is not safe for
// concurrent use.
type Refuter struct {
	known, assumed state
}

// Refuted reports whether the roots of a graph contradict each other: no values of the inputs make all of them true. If
// it returns false, that is not known. It depends on nothing but the graph.
func (r *Refuter) Refuted(g *logic.Graph) bool {
	s := &r.known
	s.begin(g)
	defer clear(s.nodes) // which keep a builder's terms
	s.narrowAll()
	if !s.conflict {
		s.tryDisjunctions(&r.assumed)
	}
	return s.conflict
}

// narrowAll propagates bounds and differences until nothing changes.
func (s *state) narrowAll() {
	for range maxSteps {
		if s.propagate(); s.conflict {
			return
		}
		s.changed = false
		if s.differences(); s.conflict || !s.changed {
			return
		}
	}
}

// tryDisjunctions assumes each operand of a true disjunction, in another state. Those that lead to a conflict are
// false.
func (s *state) tryDisjunctions(assumed *state) {
	tries := 0
	for i := range s.nodes {
		n := &s.nodes[i]
		decides := uint64(1) // by one operand, which is not known
		switch {
		case n.term.Op == logic.OpOr && s.is(int32(i), 1):
		case n.term.Op == logic.OpAnd && s.is(int32(i), 0):
			decides = 0
		default:
			continue
		}
		if slices.ContainsFunc(n.args, func(a int32) bool { return s.is(a, decides) }) {
			continue
		}
		for _, a := range n.args {
			if _, known := s.value(a); known {
				continue
			}
			if tries++; tries > maxTries || tries*len(s.nodes) > triedWork {
				return
			}
			assumed.assuming(s)
			assumed.set(a, decides)
			if assumed.narrowAll(); !assumed.conflict {
				continue
			}
			if s.set(a, 1-decides); !s.conflict {
				s.narrowAll()
			}
			if s.conflict {
				return
			}
		}
	}
}
