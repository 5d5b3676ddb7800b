package callgraph

// A graph is given by some of its nodes, the roots, and by a function that returns the successors
// of a node. The roots need not be all nodes: others are found by following edges.

// Components returns the strongly connected components of the nodes that the roots reach. A
// component comes after all components that its nodes have edges to, so in a call graph callees
// come first. The order depends on that of roots and successors alone.
//
// The cost is linear in the number of nodes and edges; successors is called once for each node.
//
// Source: Tarjan 1972. A node on no cycle is a component of its own.
func Components[N comparable](roots []N, successors func(N) []N) [][]N {
	t := tarjan[N]{successors: successors, index: map[N]int{}, low: map[N]int{}}
	for _, n := range roots {
		if t.index[n] == 0 {
			t.visit(n)
		}
	}
	return t.components
}

// tarjan is the state of one run of Tarjan's algorithm.
type tarjan[N comparable] struct {
	successors func(N) []N
	// index numbers the nodes from 1 in the order of the first visit; 0 is a node not visited.
	index map[N]int
	// low is the lowest index that is known to be reachable from a node on the stack, the
	// "lowlink". It is 0 once the component of the node is complete.
	low        map[N]int
	stack      []N
	components [][]N
}

func (t *tarjan[N]) visit(n N) {
	t.index[n] = len(t.index) + 1
	low := t.index[n]
	t.low[n] = low
	base := len(t.stack)
	t.stack = append(t.stack, n)
	for _, m := range t.successors(n) {
		if t.index[m] == 0 {
			t.visit(m)
		}
		if l := t.low[m]; l > 0 {
			low = min(low, l)
		}
	}
	t.low[n] = low
	if low != t.index[n] {
		return
	}
	component := append([]N(nil), t.stack[base:]...)
	t.stack = t.stack[:base]
	for _, m := range component {
		t.low[m] = 0
	}
	t.components = append(t.components, component)
}

// Close extends the set of each node that the roots reach with the sets of all nodes that it
// reaches:
//
//	sets[n] = union of the given sets[m] over all m with a path from n to m, n itself included
//
// It replaces the sets in place. Nodes of a component then share one set, and nodes without edges
// keep theirs, so the caller must not add to a set afterwards.
//
// The cost is linear in the number of nodes and edges, times the words of a set.
func Close[N comparable](roots []N, successors func(N) []N, sets map[N]Set) {
	for _, component := range Components(roots, successors) {
		var all Set
		for _, n := range component {
			all.Union(sets[n])
			for _, m := range successors(n) {
				all.Union(sets[m]) // complete, or of this component
			}
		}
		for _, n := range component {
			sets[n] = all
		}
	}
}

// Heights returns, for each node that the roots reach, the length of the longest path from it in
// the graph that remains when a depth-first search from the roots, in order, cuts each edge back to
// a node that it has not left yet. A cut edge counts 1.
//
// The heights order a graph with cycles: where n has an uncut edge to m, n is higher. Functions of
// one cycle thus get different heights, which depend on the order of the roots; Components would
// put them on one level.
//
// The cost is linear in the number of nodes and edges.
func Heights[N comparable](roots []N, successors func(N) []N) map[N]int {
	heights := map[N]int{}
	open := map[N]bool{}
	var visit func(n N) int
	visit = func(n N) int {
		if h, ok := heights[n]; ok || open[n] {
			return h
		}
		open[n] = true
		h := 0
		for _, m := range successors(n) {
			h = max(h, visit(m)+1)
		}
		delete(open, n)
		heights[n] = h
		return h
	}
	for _, n := range roots {
		visit(n)
	}
	return heights
}
