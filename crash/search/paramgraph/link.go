package paramgraph

import (
	"go/types"
	"slices"
	"sort"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
)

// link resolves the types of the operations, finds the producers of each type, and keeps as targets
// the operations whose arguments all have producers.
func (g *Graph) link(targets map[*candidate.Op]bool) {
	g.In, g.Out, g.Usual, g.DataDepth, g.Targets, g.Setters, g.Variables = nil, nil, nil, nil, nil, nil, nil
	for _, n := range g.nodes {
		n.Producers, n.Copies, n.sizes, n.MinDepth = nil, nil, nil, 0
	}
	for i, o := range g.Table {
		g.linkOp(i, o)
	}
	g.computeDepths(false)
	g.computeDepths(true)
	for i, o := range g.Table {
		if !targets[o] {
			continue
		}
		missing := ""
		for _, n := range g.In[i] {
			if n.MinDepth == 0 {
				missing = Key(n.Type)
			}
		}
		if missing == "" {
			g.Targets = append(g.Targets, i)
		} else {
			g.skip(o.Func, "nothing makes a "+missing)
		}
	}
	sort.SliceStable(g.Skipped, func(i, j int) bool {
		return g.Skipped[i].Func < g.Skipped[j].Func
	})
}

// linkOp links the operation of index i to the types of its arguments and results.
func (g *Graph) linkOp(i int, o *candidate.Op) {
	var in, out []*Node
	for _, t := range o.In {
		in = append(in, g.nodes[Key(t)])
	}
	for j, t := range o.Out {
		n := g.nodes[Key(t)]
		out = append(out, n)
		if o.Copies {
			n.Copies = append(n.Copies, i)
		} else if n.Values == nil || o.Lit { // literals alone make values of basic types
			n.Producers = append(n.Producers, Producer{i, j})
		}
	}
	if o.Sets != nil {
		g.Variables = append(g.Variables, i)
	}
	isCall := o.Func != nil
	if o.OnFirst && len(in) > 0 && (isCall || len(out) == 0) { // a method or a setter
		if !isCall {
			g.Setters = append(g.Setters, i)
		}
		_, pointer := o.In[0].(*types.Pointer)
		if pointer || isCall && types.IsInterface(o.In[0]) ||
			!isCall && len(o.Fields) == 0 {
			in[0].Producers = append(in[0].Producers, Producer{i, AfterCall})
		}
	}
	data := 0
	for _, t := range o.In {
		data = max(data, min(g.data.of(t), maxData))
	}
	g.DataDepth = append(g.DataDepth, data)
	usual := make([][]constants.Value, len(in))
	for j, n := range in {
		if basic, ok := n.Type.Underlying().(*types.Basic); ok {
			usual[j] = g.Constants.Usual(o, j, basic)
		}
	}
	g.In, g.Out, g.Usual = append(g.In, in), append(g.Out, out), append(g.Usual, usual)
}

// computeDepths computes MinDepth of the types that have none yet. It runs without unusual
// operations first, and then with them: values of a type are unusual only if no other operation
// makes any.
func (g *Graph) computeDepths(unusual bool) {
	for depth := 1; depth <= MaxDepth; depth++ {
		var found []*Node
		makes := func(p Producer) bool { return g.producesAt(p, depth, unusual) }
		for _, n := range g.nodes {
			if n.MinDepth == 0 && slices.ContainsFunc(n.Producers, makes) {
				found = append(found, n)
			}
		}
		for _, n := range found {
			n.MinDepth = depth
		}
	}
}

// producesAt reports whether a producer makes values at most depth deep.
func (g *Graph) producesAt(p Producer, depth int, unusual bool) bool {
	o := g.Table[p.Op]
	switch {
	case !unusual && IsUnusual(o):
		return false
	case o.Lit:
		return len(g.Out[p.Op][0].Values) > 0
	case o.Variadic:
		return true
	}
	for _, n := range g.In[p.Op] {
		if n.MinDepth == 0 || n.MinDepth >= depth {
			return false
		}
	}
	return true
}

// Keep reduces the graph to the operations of a table: those that compile. dropped holds the reason
// for each operation that does not. Keep returns the new index of each operation by its old one; an
// operation that is gone has none.
func (g *Graph) Keep(table []*candidate.Op, dropped map[*candidate.Op]string) map[int]int {
	index := map[*candidate.Op]int{}
	for i, o := range table {
		index[o] = i
	}
	targets := map[*candidate.Op]bool{}
	for _, i := range g.Targets {
		if o := g.Table[i]; dropped[o] == "" {
			targets[o] = true
		} else {
			g.skip(o.Func, "a call does not compile: "+dropped[o])
		}
	}
	moved := map[int]int{}
	for old, o := range g.Table {
		if i, ok := index[o]; ok {
			moved[old] = i
		}
	}
	g.Table = table
	g.link(targets)
	return moved
}
