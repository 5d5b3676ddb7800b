package localsearch

import (
	"cmp"
	"slices"

	"dsd/check/logic"
)

// node is a term of the search. Operands have lower indices than the terms that contain them.
type node struct {
	term *logic.Term
	args []int32
	// open reports whether the value depends on an input.
	open bool
}

// state is an assignment of values to inputs, with the values of all terms under it.
type state struct {
	nodes  []node
	values []uint64
	index  map[*logic.Term]int32
	roots  []int32 // the terms that are to be true
	inputs []int32 // the variables and initial cells, in order
	// cells are the contents of memories; those without an entry have the value of zero.
	cells map[logic.Cell]uint64
	// firstCell is the first cell of each memory.
	firstCell map[*logic.Var]int32
	// work counts the nodes evaluated; one that is only looked at counts a quarter.
	work int

	// assignments counts them; changed is the last one in which a node's value changed.
	assignments int
	changed     []int
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

// newState returns the state of terms in which all inputs are zero.
func newState(terms []*logic.Term) *state {
	s := &state{
		index: map[*logic.Term]int32{}, cells: map[logic.Cell]uint64{},
		firstCell: map[*logic.Var]int32{},
	}
	var all, roots []*logic.Term
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if _, ok := s.index[t]; ok {
			return
		}
		s.index[t] = 0
		for _, a := range t.Args {
			visit(a)
		}
		all = append(all, t)
	}
	var root func(t *logic.Term)
	root = func(t *logic.Term) {
		if t.Op == logic.OpAnd { // its parts are better goals
			for _, a := range t.Args {
				root(a)
			}
			return
		}
		visit(t)
		roots = append(roots, t)
	}
	for _, t := range terms {
		root(t)
	}
	slices.SortFunc(all, func(a, b *logic.Term) int { return cmp.Compare(a.ID, b.ID) })
	s.nodes, s.values = make([]node, len(all)), make([]uint64, len(all))
	s.changed = make([]int, len(all))
	operands := 0
	for _, t := range all {
		operands += len(t.Args)
	}
	args := make([]int32, 0, operands)
	for i, t := range all {
		s.index[t] = int32(i)
		from := len(args)
		n := node{term: t, open: t.Op == logic.OpVar || t.Op == logic.OpSelect}
		if n.open {
			s.inputs = append(s.inputs, int32(i))
			if _, ok := s.firstCell[t.Var]; !ok {
				s.firstCell[t.Var] = int32(i)
			}
		}
		for _, a := range t.Args {
			args = append(args, s.index[a])
			n.open = n.open || s.nodes[s.index[a]].open
		}
		n.args = args[from:len(args):len(args)]
		s.nodes[i] = n
	}
	for _, t := range roots {
		s.roots = append(s.roots, s.index[t])
	}
	slices.Sort(s.roots)
	s.roots = slices.Compact(s.roots)
	for i := range s.nodes {
		switch t := s.nodes[i].term; t.Op {
		case logic.OpConst:
			s.values[i] = t.Val
		case logic.OpVar:
			s.values[i] = zero(t.Var)
		}
	}
	s.evaluateAll()
	return s
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
	s.assignments++
	s.changes, s.cellBefore = s.changes[:0], nil
	first := i
	if t := s.nodes[i].term; t.Op == logic.OpSelect {
		at := s.cell(i)
		old, had := s.cells[at]
		s.cellBefore = &cellBefore{at, old, had}
		s.cells[at] = v
		first = s.firstCell[t.Var] // other terms may read the same cell
	} else {
		s.set(i, v)
		first++
	}
	for i := first; int(i) < len(s.nodes); i++ {
		if s.stale(i) {
			s.work++
			if v := s.compute(i); v != s.values[i] {
				s.set(i, v)
			}
		}
	}
	s.work += (len(s.nodes) - int(first)) / 4
}

// stale reports whether what the value of node i is computed from changed in this step.
func (s *state) stale(i int32) bool {
	n := &s.nodes[i]
	for _, a := range n.args {
		if s.changed[a] == s.assignments {
			return true
		}
	}
	return s.cellBefore != nil && n.term.Op == logic.OpSelect && n.term.Var == s.cellBefore.at.Var
}

// set records a new value.
func (s *state) set(i int32, v uint64) {
	s.changes = append(s.changes, change{i, s.values[i]})
	s.changed[i] = s.assignments
	s.values[i] = v
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
