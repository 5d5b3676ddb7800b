package goal

import (
	"go/types"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
	"dsd/crash/search/generate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/schemas"
)

// composer makes the values of a counterexample, as far as operations can express them. It draws
// the rest.
type composer struct {
	s       *generate.Sampler
	b       *program.Builder
	objects []schemas.Node // of the counterexample
	made    map[int]int    // results that hold objects, by the object's number
}

// maxElems is the number of elements that a slice of a counterexample is given.
const maxElems = 8

// value makes a value of a type as want describes it, with a certain probability, else any. It
// returns the value's number. The type must have values.
func (c *composer) value(n *paramgraph.Node, want *schemas.Node, depth int) int {
	if n.MinDepth > depth {
		depth = n.MinDepth
	}
	if want.Ref != nil {
		if r, ok := c.made[*want.Ref]; ok {
			return r
		}
	}
	if c.s.Rand.Intn(8) > 0 {
		if r := c.described(n, want, depth); r >= 0 {
			if want.Ref != nil {
				c.made[*want.Ref] = r
			}
			return r
		}
	}
	return c.s.Value(c.b, n, depth)
}

// described makes a value as want describes it and returns its number, -1 if no operation makes it.
func (c *composer) described(n *paramgraph.Node, want *schemas.Node, depth int) int {
	parts := want // describes the elements and fields
	if want.Ref != nil && *want.Ref < len(c.objects) {
		parts = &c.objects[*want.Ref]
	}
	for _, p := range n.Producers {
		op := c.s.Graph.Table[p.Op]
		in := c.s.Graph.In[p.Op]
		switch {
		case p.Out < 0 || !c.s.Feasible(p.Op, depth-1):

		case op.Lit:
			if v, ok := constants.Parse(want.Lit); ok {
				return c.b.Add(candidate.Stmt{Op: p.Op, Bits: v.Bits, Text: v.Text})
			}

		case want.Lit == "nil":
			if op.Nil {
				return c.b.Add(candidate.Stmt{Op: p.Op})
			}

		case op.Variadic && want.Ref != nil:
			var args []int
			for i := range min(length(want), maxElems) {
				if in[0].MinDepth == 0 { // nothing makes an element
					break
				}
				args = append(args, c.value(in[0], element(parts, i), depth-1))
			}
			return c.b.Add(candidate.Stmt{Op: p.Op, Args: args})

		case op.Converts && want.Dynamic != nil:
			if types.TypeString(op.In[0], nil) == want.Dynamic.Type {
				arg := c.value(in[0], want.Dynamic, depth-1)
				return c.b.Add(candidate.Stmt{Op: p.Op, Args: []int{arg}})
			}

		case len(op.Fields) > 0 && c.s.Rand.Intn(2) == 0:
			var args []int
			for i, f := range op.Fields {
				args = append(args, c.value(in[i], field(parts, f.Name()), depth-1))
			}
			return c.b.Add(candidate.Stmt{Op: p.Op, Args: args})
		}
	}
	return -1
}

// length returns the length that a counterexample gives for a slice, 0 if it gives none.
func length(n *schemas.Node) int64 {
	if n.Len == nil {
		return 0
	}
	return *n.Len
}

// element returns the description of an element, an empty one if there is none.
func element(n *schemas.Node, i int64) *schemas.Node {
	for j := range n.Elems {
		if n.Elems[j].Index == i && n.Elems[j].Key == nil {
			return &n.Elems[j].Value
		}
	}
	return &schemas.Node{}
}

// field returns the description of a field, an empty one if there is none.
func field(n *schemas.Node, name string) *schemas.Node {
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return &n.Fields[i].Node
		}
	}
	return &schemas.Node{}
}
