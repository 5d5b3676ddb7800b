package localsearch

import "dsd/check/logic"

// propagate walks from node i, which is wanted to have the value want, down to an input. It returns
// the input and the value that it should get; false if an operator on the way cannot have its value
// by changing one operand.
func (s *Search) propagate(i int32, want uint64) (input int32, value uint64, ok bool) {
	for {
		n := &s.nodes[i]
		if !n.open {
			return 0, 0, false
		}
		if n.term.Op == logic.OpVar {
			return i, want, true
		}
		if n.term.Op == logic.OpSelect && !s.moves(i) {
			return i, want, true
		}
		next, w, ok := s.step(i, want)
		if !ok {
			return 0, 0, false
		}
		i, want = next, w
	}
}

// moves reports whether to look for another cell that holds the value wanted, rather than to change
// this one.
func (s *Search) moves(i int32) bool {
	return s.movable(i) && s.random.pick(8) == 0
}

// movable reports whether the address of a cell depends on inputs.
func (s *Search) movable(i int32) bool {
	a := s.nodes[i].args
	return s.nodes[a[0]].open || s.nodes[a[1]].open
}

// step returns the operand of node i that is to change, and the value that it must have for the node
// to have the value want. The node does not have it now.
func (s *Search) step(i int32, want uint64) (operand int32, value uint64, ok bool) {
	n := &s.nodes[i]
	t := n.term
	switch t.Op {
	case logic.OpNot:
		return n.args[0], 1 - want, true
	case logic.OpAnd, logic.OpOr:
		operand, ok = s.operand(n, func(a int32) bool { return s.values[a] != want })
		return operand, want, ok
	case logic.OpIte:
		return s.choice(n, want)
	case logic.OpSelect:
		return s.elsewhere(i, want)
	case logic.OpEq:
		return s.equal(n, want == 1)
	case logic.OpExtract:
		low := logic.Mask(int(t.Hi-t.Lo)+1) << t.Lo
		return n.args[0], s.values[n.args[0]]&^low | want<<t.Lo&low, true
	case logic.OpZExt, logic.OpSExt:
		in := t.Args[0].Sort.Bits()
		v := want & logic.Mask(in)
		return n.args[0], v, t.Apply(v, 0) == want
	case logic.OpFBits, logic.OpFNeg, logic.OpFFromS, logic.OpFFromU, logic.OpFToS, logic.OpFToU,
		logic.OpFToF:
		v, ok := s.unconvert(t, want)
		return n.args[0], v, ok
	}
	k := s.random.pick(2)
	if !s.nodes[n.args[k]].open {
		k = 1 - k
	}
	if !s.nodes[n.args[k]].open {
		return 0, 0, false
	}
	value, ok = s.inverse(t, k, s.values[n.args[k]], s.values[n.args[1-k]], want)
	return n.args[k], value, ok
}

// operand returns a random operand that depends on inputs and that suits; false if there is none.
func (s *Search) operand(n *node, suits func(int32) bool) (int32, bool) {
	count, chosen := 0, int32(0)
	for _, a := range n.args {
		if s.nodes[a].open && suits(a) {
			if count++; s.random.pick(count) == 0 {
				chosen = a
			}
		}
	}
	return chosen, count > 0
}

// choice gives an OpIte a value: by its condition if the other branch has the value, otherwise by one
// of the branches.
func (s *Search) choice(n *node, want uint64) (operand int32, value uint64, ok bool) {
	c, taken := n.args[0], n.args[2-s.values[n.args[0]]]
	other := n.args[1] + n.args[2] - taken
	flip := s.nodes[c].open && (s.values[other] == want && s.random.pick(8) != 0 ||
		!s.nodes[taken].open || s.random.pick(4) == 0)
	if flip {
		return c, 1 - s.values[c], true
	}
	return taken, want, true
}

// elsewhere gives a cell a value by moving its address to a cell of the memory that has it.
func (s *Search) elsewhere(i int32, want uint64) (operand int32, value uint64, ok bool) {
	n := &s.nodes[i]
	count, chosen := 0, int32(0)
	for _, j := range s.inputs {
		if t := s.nodes[j].term; t.Op == logic.OpSelect && t.Var == n.term.Var && s.values[j] == want {
			if count++; s.random.pick(count) == 0 {
				chosen = j
			}
		}
	}
	if count == 0 {
		return 0, 0, false
	}
	for k, a := range n.args {
		v := s.values[s.nodes[chosen].args[k]]
		if s.nodes[a].open && s.values[a] != v {
			return a, v, true
		}
	}
	return 0, 0, false
}

// equal makes the operands of an OpEq equal, or different.
func (s *Search) equal(n *node, same bool) (operand int32, value uint64, ok bool) {
	k := s.random.pick(2)
	if !s.nodes[n.args[k]].open {
		k = 1 - k
	}
	operand = n.args[k]
	other := s.values[n.args[1-k]]
	if same {
		return operand, other, true
	}
	t := s.nodes[operand].term
	if t.Op == logic.OpVar || t.Op == logic.OpSelect {
		for range 8 {
			if v := s.corners.choose(t); v != other {
				return operand, v, true
			}
		}
	}
	if t.Sort.Kind == logic.KBool {
		return operand, 1 - other, true
	}
	all := logic.Mask(t.Sort.Bits())
	return operand, [...]uint64{other + 1, other - 1}[s.random.pick(2)] & all, true
}
