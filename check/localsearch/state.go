package localsearch

import (
	"math/bits"

	"dsd/check/logic"
	"dsd/internal/reuse"
)

// node is a term of the search. Operands have lower indices than the terms that contain them.
type node struct {
	term        *logic.Term
	args, users []int32
	// open reports whether the value depends on an input.
	open bool
}

// state is an assignment of values to inputs, with the values of all terms under it.
type state struct {
	nodes  []node
	values []uint64
	roots  []int32 // the terms that are to be true
	inputs []int32 // the variables and initial cells, in order
	// cells are the contents of memories; those without an entry have the value of zero.
	cells map[logic.Cell]uint64
	// reads are the nodes that read each memory.
	reads map[*logic.Var][]int32
	// work counts the nodes evaluated.
	work int
	// stale has a bit for each node whose operands have changed.
	stale []uint64
	// changes and cellBefore are what the last assignment changed; cellBefore is nil if that is no
	// cell.
	changes    []change
	cellBefore *cellBefore
}

// change is the value of a node before an assignment.
type change struct {
	node   int32
	before uint64
}

// cellBefore is the contents of a cell before an assignment; had is false if it had none.
type cellBefore struct {
	at    logic.Cell
	value uint64
	had   bool
}

// begin makes s the state of a graph in which all inputs are zero.
func (s *state) begin(g *logic.Graph) {
	count := len(g.Terms)
	s.roots, s.inputs, s.work = g.Roots, s.inputs[:0], 0
	s.nodes, s.values, s.stale = reuse.Slice(s.nodes, count), reuse.Slice(s.values, count), reuse.Slice(s.stale, count/64+1)
	clear(s.stale)
	if s.cells == nil {
		s.cells, s.reads = map[logic.Cell]uint64{}, map[*logic.Var][]int32{}
	}
	clear(s.cells)
	clear(s.reads)
	for i, t := range g.Terms {
		n := node{term: t, args: g.Args[i], users: g.Users[i], open: t.Op == logic.OpVar || t.Op == logic.OpSelect}
		if n.open {
			s.inputs = append(s.inputs, int32(i))
		}
		if t.Op == logic.OpSelect {
			s.reads[t.Var] = append(s.reads[t.Var], int32(i))
		}
		for _, a := range n.args {
			n.open = n.open || s.nodes[a].open
		}
		s.nodes[i] = n
		switch t.Op {
		case logic.OpConst:
			s.values[i] = t.Val
		case logic.OpVar:
			s.values[i] = zero(t.Var)
		}
	}
	s.evaluateAll()
}

// zero returns the value that an input has until it is assigned one.
func zero(v *logic.Var) uint64 {
	if v.Domain.Role == logic.RoleStrObj { // the empty string is an object, too
		return uint64(v.Domain.Region) << 16
	}
	return 0
}

// cell returns the address of an initial cell, as its operands are now.
func (s *state) cell(i int32) logic.Cell {
	n := &s.nodes[i]
	return logic.Cell{Var: n.term.Var, Obj: uint32(s.values[n.args[0]]), Slot: s.values[n.args[1]]}
}

// evaluateAll computes the values of all terms. It cannot be taken back.
func (s *state) evaluateAll() {
	s.work += len(s.nodes)
	for i := range s.nodes {
		s.values[i] = s.compute(int32(i))
	}
	s.changes, s.cellBefore = s.changes[:0], nil
}

// assign gives an input a value, and computes the terms that depend on it. An initial cell gets it at
// the address that it has now. Until the next one, undo takes the assignment back.
func (s *state) assign(i int32, v uint64) {
	v = s.nodes[i].term.Sort.Normal(v)
	s.changes, s.cellBefore = s.changes[:0], nil
	if t := s.nodes[i].term; t.Op == logic.OpSelect {
		at := s.cell(i)
		old, had := s.cells[at]
		s.cellBefore = &cellBefore{at, old, had}
		s.cells[at] = v
		s.mark(s.reads[t.Var]) // other terms may read the same cell
		i = s.reads[t.Var][0]
	} else {
		s.set(i, v)
	}
	s.work += len(s.stale) / 8 // to look at eight words takes about as long as a node
	for w := int(i) / 64; w < len(s.stale); w++ {
		for s.stale[w] != 0 {
			b := bits.TrailingZeros64(s.stale[w])
			s.stale[w] &^= 1 << b
			i := int32(w*64 + b)
			s.work++
			if v := s.compute(i); v != s.values[i] {
				s.set(i, v)
			}
		}
	}
}

// mark records that the operands of nodes have changed.
func (s *state) mark(nodes []int32) {
	for _, i := range nodes {
		s.stale[i/64] |= 1 << (i % 64)
	}
}

// set gives a node a new value.
func (s *state) set(i int32, v uint64) {
	s.changes = append(s.changes, change{i, s.values[i]})
	s.values[i] = v
	s.mark(s.nodes[i].users)
}

// undo takes the last assignment back.
func (s *state) undo() {
	for _, c := range s.changes {
		s.values[c.node] = c.before
	}
	if c := s.cellBefore; c != nil && c.had {
		s.cells[c.at] = c.value
	} else if c != nil {
		delete(s.cells, c.at)
	}
	s.changes, s.cellBefore = s.changes[:0], nil
}

// compute returns the value of node i, given those of its operands.
func (s *state) compute(i int32) uint64 {
	n := &s.nodes[i]
	switch t := n.term; t.Op {
	case logic.OpConst, logic.OpVar:
		return s.values[i]
	case logic.OpSelect:
		if v, ok := s.cells[s.cell(i)]; ok {
			return t.Sort.Normal(v)
		}
		return zero(t.Var)
	case logic.OpIte:
		return s.values[n.args[2-s.values[n.args[0]]]]
	case logic.OpAnd:
		return 1 - s.some(n.args, 0)
	case logic.OpOr:
		return s.some(n.args, 1)
	default:
		var b uint64
		if len(n.args) > 1 {
			b = s.values[n.args[1]]
		}
		return t.Apply(s.values[n.args[0]], b)
	}
}

// some returns 1 if an operand has value v, otherwise 0.
func (s *state) some(args []int32, v uint64) uint64 {
	for _, a := range args {
		if s.values[a] == v {
			return 1
		}
	}
	return 0
}

// failing returns the roots that are false, appended to list.
func (s *state) failing(list []int32) []int32 {
	for _, r := range s.roots {
		if s.values[r] == 0 {
			list = append(list, r)
		}
	}
	return list
}

// model returns the values of the inputs.
func (s *state) model() *logic.Model {
	m := &logic.Model{Vars: map[*logic.Var]uint64{}, Cells: map[logic.Cell]uint64{}}
	for _, i := range s.inputs {
		if t := s.nodes[i].term; t.Op == logic.OpVar {
			m.Vars[t.Var] = s.values[i]
		} else {
			m.Cells[s.cell(i)] = s.values[i]
		}
	}
	return m
}

// load takes over the values of a model and evaluates all terms.
func (s *state) load(m *logic.Model) {
	clear(s.cells)
	for c, v := range m.Cells {
		s.cells[c] = v
	}
	for _, i := range s.inputs {
		if t := s.nodes[i].term; t.Op == logic.OpVar {
			s.values[i] = t.Sort.Normal(m.Vars[t.Var])
		}
	}
	s.evaluateAll()
}
