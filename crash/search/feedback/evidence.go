package feedback

import (
	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
)

// Evidence is a candidate that crashes, with the reasons to doubt that its crash is a bug.
type Evidence struct {
	Program candidate.Program
	// ViolatesPre is set if inputs do not satisfy known preconditions.
	ViolatesPre bool
	// Fabricated is set if a user of the package could not write what comes before the last
	// call.
	Fabricated bool
	// NilArgument is set if the candidate passes a nil pointer, interface or function to an
	// operation.
	NilArgument bool
}

// NewEvidence returns the evidence of a candidate that crashed with an event.
func NewEvidence(g *paramgraph.Graph, p candidate.Program, e candidate.Event) Evidence {
	return Evidence{p, e.PreHeld < e.PreChecked, fabricated(g, p), e.Nil || makesNil(g, p)}
}

// fabricated reports whether a statement before the last one is an operation that no user of the
// package can do.
func fabricated(g *paramgraph.Graph, p candidate.Program) bool {
	for i := range p[:len(p)-1] {
		if g.Table[p[i].Op].Internal {
			return true
		}
	}
	return false
}

// makesNil reports whether a candidate makes a nil pointer, interface or function.
func makesNil(g *paramgraph.Graph, p candidate.Program) bool {
	for i := range p {
		if paramgraph.IsNil(g.Table[p[i].Op]) {
			return true
		}
	}
	return false
}

// Improve replaces x by e if there is less reason to doubt e, or as much and its candidate is
// shorter. Violated preconditions weigh most, then fabricated values, then nil arguments.
func (x *Evidence) Improve(e Evidence) {
	switch {
	case x.ViolatesPre != e.ViolatesPre:
		if e.ViolatesPre {
			return
		}
	case x.Fabricated != e.Fabricated:
		if e.Fabricated {
			return
		}
	case x.NilArgument != e.NilArgument:
		if e.NilArgument {
			return
		}
	case len(e.Program) >= len(x.Program):
		return
	}
	*x = e
}

// WorseThan reports whether there is a reason to doubt x that does not hold for y. It does not
// compare Fabricated.
func (x *Evidence) WorseThan(y Evidence) bool {
	return x.NilArgument && !y.NilArgument || x.ViolatesPre && !y.ViolatesPre
}
