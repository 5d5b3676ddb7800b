package feedback

import (
	"go/types"

	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
)

// Evidence is a candidate that crashes, with the reasons to doubt that its crash is a bug.
type Evidence struct {
	Program candidate.Program
	// ViolatesPre is set if inputs do not satisfy known preconditions, and ViolatesArgs if these
	// are about arguments, or if the candidate writes the receiver itself; see ArgsHeld.
	ViolatesPre, ViolatesArgs bool
	// Fabricated is set if a user of the package could not write what comes before the last
	// call.
	Fabricated bool
	// NilArgument is set if the candidate passes a nil pointer, interface or function to an
	// operation.
	NilArgument bool
	// ByHand counts the structs and functions that the candidate writes, rather than calls the package for, and
	// that what the last call works on depends on.
	ByHand int
}

// NewEvidence returns the evidence of a candidate that crashed with an event.
func NewEvidence(g *paramgraph.Graph, p candidate.Program, e candidate.Event) Evidence {
	return Evidence{
		Program: p, ViolatesPre: e.PreHeld < e.PreChecked, ViolatesArgs: ArgsHeld(g, p, e) < e.PreChecked,
		Fabricated: fabricated(g, p), NilArgument: e.Nil || makesNil(g, p), ByHand: byHand(g, p),
	}
}

// byHand returns Evidence.ByHand of a candidate.
func byHand(g *paramgraph.Graph, p candidate.Program) (n int) {
	results := 0
	for i := range p {
		results += len(g.Table[p[i].Op].Out)
	}
	needed := make([]bool, results)
	for i := len(p) - 1; i >= 0; i-- {
		o := g.Table[p[i].Op]
		results -= len(o.Out)
		wanted := i == len(p)-1
		for k := range o.Out {
			wanted = wanted || needed[results+k]
		}
		for _, a := range p[i].Args { // a statement may change what it is given
			wanted = wanted || needed[a]
		}
		if !wanted {
			continue
		}
		for _, a := range p[i].Args {
			needed[a] = true
		}
		if o.Func == nil && !o.Lit && len(o.Out) > 0 && writtenByHand(o.Out[0]) {
			n++
		}
	}
	return n
}

// writtenByHand reports whether values of a type are objects or functions.
func writtenByHand(t types.Type) bool {
	_, isFunc := t.Underlying().(*types.Signature)
	return isFunc || structName(t) != nil
}

// ArgsHeld returns the number of calls of a candidate whose preconditions about arguments held.
// Those about nothing but the receiver's state count only if the candidate writes such a receiver
// itself: a state that the package's own functions made may be a bug of theirs.
func ArgsHeld(g *paramgraph.Graph, p candidate.Program, e candidate.Event) int {
	written := map[*types.TypeName]bool{}
	for i := range p {
		if o := g.Table[p[i].Op]; o.Func == nil && !o.Lit && len(o.Out) > 0 {
			written[structName(o.Out[0])] = true
		} else if o.Func == nil && o.OnFirst { // sets a field
			written[structName(o.In[0])] = true
		}
	}
	delete(written, nil)
	for i := range p {
		if o := g.Table[p[i].Op]; o.Func != nil && o.OnFirst && written[structName(o.In[0])] {
			return e.PreHeld
		}
	}
	return e.ArgsHeld
}

// structName returns the declaration of the named type that t is, or points to; nil if there is
// none, or if t is an interface.
func structName(t types.Type) *types.TypeName {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(n) {
		return n.Obj()
	}
	return nil
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
// shorter. Violated preconditions weigh most, then fabricated values, then nil arguments, then what is
// written by hand.
func (x *Evidence) Improve(e Evidence) {
	switch {
	case x.ViolatesArgs != e.ViolatesArgs:
		if e.ViolatesArgs {
			return
		}
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
	case x.ByHand != e.ByHand:
		if e.ByHand > x.ByHand {
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
	return x.NilArgument && !y.NilArgument || x.ViolatesPre && !y.ViolatesPre ||
		x.ViolatesArgs && !y.ViolatesArgs || x.ByHand > y.ByHand
}
