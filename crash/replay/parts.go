package replay

import (
	"strings"

	"dsd/schemas"
)

// A part of a recorded call is something that a test can leave out: a field or an element that is
// not zero, a package-level variable, what a reference or an interface leads to, or a string. Parts
// are numbered in the order of a depth-first walk over the call, so that a number means the same
// part in each walk of the same call.

// countParts returns the number of parts of a call.
func countParts(call *schemas.Counterexample) int {
	n := 0
	filter(call, func(int) bool { n++; return false })
	return n
}

// without returns a copy of a call without some of its parts.
func without(call *schemas.Counterexample, parts []int) *schemas.Counterexample {
	drop := map[int]bool{}
	for _, i := range parts {
		drop[i] = true
	}
	return filter(call, func(i int) bool { return drop[i] })
}

// filter returns a copy of a call without the parts for which drop returns true. drop is called
// once for each part, in the order of their numbers.
func filter(call *schemas.Counterexample, drop func(i int) bool) *schemas.Counterexample {
	p := &partFilter{drop: drop}
	out := *call
	if call.Receiver != nil {
		recv := *call.Receiver
		recv.Node = p.node(recv.Node)
		out.Receiver = &recv
	}
	out.Params, out.Objects, out.Globals = p.params(call.Params), nil, nil
	for _, g := range call.Globals {
		if !p.next() {
			out.Globals = append(out.Globals, g)
		}
	}
	for _, o := range call.Objects {
		out.Objects = append(out.Objects, p.node(o))
	}
	return &out
}

// partFilter is the state of one walk.
type partFilter struct {
	drop func(i int) bool
	seen int // parts so far
}

// next reports whether the next part is to be dropped.
func (p *partFilter) next() bool {
	p.seen++
	return p.drop(p.seen - 1)
}

// node returns a copy of a node. The parts inside a dropped part are still counted.
func (p *partFilter) node(n schemas.Node) schemas.Node {
	var fields []schemas.Input
	for _, f := range n.Fields {
		dropped := p.next()
		f.Node = p.node(f.Node)
		if !dropped {
			fields = append(fields, f)
		}
	}
	var elems []schemas.Elem
	for _, e := range n.Elems {
		dropped := p.next()
		if e.Key != nil {
			key := p.node(*e.Key)
			e.Key = &key
		}
		e.Value = p.node(e.Value)
		if !dropped {
			elems = append(elems, e)
		}
	}
	n.Fields, n.Elems = fields, elems
	if n.Dynamic != nil {
		d := p.node(*n.Dynamic)
		n.Dynamic = &d
	}
	return n
}

// params returns copies of parameters. A parameter cannot be left out: a dropped one becomes the
// zero value of its type.
func (p *partFilter) params(list []schemas.Input) []schemas.Input {
	var out []schemas.Input
	for _, in := range list {
		dropped := droppable(&in.Node) && p.next()
		if in.Node = p.node(in.Node); dropped {
			in.Node = schemas.Node{Type: in.Type}
			if nilable(in.Type) {
				in.Node.Lit = "nil"
			}
		}
		out = append(out, in)
	}
	return out
}

// droppable reports whether a parameter is a part: a reference, a non-nil interface, a string or a
// function.
func droppable(n *schemas.Node) bool {
	isString := strings.HasPrefix(n.Lit, `"`) && n.Lit != `""`
	return n.Ref != nil || n.Dynamic != nil || isString || n.Lit == "func"
}

// nilable reports whether typ, as documents write types, is a pointer, slice, map or function type.
func nilable(typ string) bool {
	for _, prefix := range []string{"*", "[]", "map[", "func"} {
		if strings.HasPrefix(typ, prefix) {
			return true
		}
	}
	return false
}
