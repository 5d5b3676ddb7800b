package compose

import (
	"slices"

	"dsd/schemas"
)

// survey looks at the object graph before anything is written: an object with one reference can be
// written in place, one on a cycle cannot.
func (w *writer) survey() {
	// references calls found for each reference inside a node.
	references := func(n *schemas.Node, found func(object int)) {
		n.Walk(func(n *schemas.Node) {
			if n.Ref == nil || *n.Ref >= len(w.refs) {
				return
			}
			i := *n.Ref
			found(i)
			if n.Path != "" { // a part of the object: count it twice, to get a variable
				found(i)
				return
			}
			for _, length := range []*int64{n.Len, n.Cap} {
				if length != nil {
					w.sizes[i] = max(w.sizes[i], n.Offset+*length)
				}
			}
		})
	}
	edges := make([][]int, len(w.ce.Objects)) // the objects that each object refers to
	for i := range w.ce.Objects {
		references(&w.ce.Objects[i], func(j int) { edges[i] = append(edges[i], j) })
	}
	seen := make([]bool, len(w.refs))
	var reach func(i int)
	reach = func(i int) {
		w.refs[i]++
		if !seen[i] {
			seen[i] = true
			for _, j := range edges[i] {
				reach(j)
			}
		}
	}
	if w.ce.Receiver != nil {
		references(&w.ce.Receiver.Node, reach)
	}
	for i := range w.ce.Params {
		references(&w.ce.Params[i].Node, reach)
	}
	for i := range w.ce.Globals {
		references(&w.ce.Globals[i].Node, reach)
	}
	for i := range edges {
		w.cyclic[i] = onCycle(edges, i)
	}
}

// onCycle reports whether a path of a graph leads from node i back to it.
func onCycle(edges [][]int, i int) bool {
	seen := make([]bool, len(edges))
	worklist := slices.Clone(edges[i])
	for len(worklist) > 0 {
		j := worklist[0]
		worklist = worklist[1:]
		if j == i {
			return true
		}
		if !seen[j] {
			seen[j] = true
			worklist = append(worklist, edges[j]...)
		}
	}
	return false
}

// Size returns the number of nodes that the values of a call lead to.
func Size(c *schemas.Counterexample) int {
	n := 0
	Prune(c).Walk(func(*schemas.Node) { n++ })
	return n
}

// Prune returns a copy of a call with only the objects that its receiver, parameters and
// package-level variables lead to: a recording holds those of all frames. The objects are
// renumbered in the order in which they are reached.
func Prune(c *schemas.Counterexample) *schemas.Counterexample {
	number := map[int]int{} // new number of each object
	var order []int         // old numbers, in the new order
	inputs := func(list []schemas.Input) []schemas.Input {
		out := slices.Clone(list)
		for i := range out {
			out[i].Node = copyNode(&list[i].Node)
			out[i].Node.Walk(func(n *schemas.Node) { renumber(n, number, &order) })
		}
		return out
	}
	out := &schemas.Counterexample{TypeArgs: c.TypeArgs, Types: c.Types}
	if c.Receiver != nil {
		out.Receiver = &inputs([]schemas.Input{*c.Receiver})[0]
	}
	out.Params, out.Globals = inputs(c.Params), inputs(c.Globals)
	for i := 0; i < len(order); i++ {
		if order[i] < len(c.Objects) {
			o := copyNode(&c.Objects[order[i]])
			o.Walk(func(n *schemas.Node) { renumber(n, number, &order) })
			out.Objects = append(out.Objects, o)
		}
	}
	return out
}

// renumber gives the reference of a node the object's new number, the next one if it has none yet.
func renumber(n *schemas.Node, number map[int]int, order *[]int) {
	if n.Ref == nil {
		return
	}
	i, ok := number[*n.Ref]
	if !ok {
		i = len(*order)
		number[*n.Ref] = i
		*order = append(*order, *n.Ref)
	}
	n.Ref = &i
}

// copyNode returns a deep copy of a node. References are copied as numbers; the numbers themselves
// are shared.
func copyNode(n *schemas.Node) schemas.Node {
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i := range out.Fields {
		out.Fields[i].Node = copyNode(&n.Fields[i].Node)
	}
	out.Elems = slices.Clone(n.Elems)
	for i := range out.Elems {
		if k := n.Elems[i].Key; k != nil {
			key := copyNode(k)
			out.Elems[i].Key = &key
		}
		out.Elems[i].Value = copyNode(&n.Elems[i].Value)
	}
	if n.Dynamic != nil {
		d := copyNode(n.Dynamic)
		out.Dynamic = &d
	}
	return out
}
