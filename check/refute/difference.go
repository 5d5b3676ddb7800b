package refute

import (
	"dsd/check/logic"
	"dsd/internal/reuse"
)

// edge says that x - y <= c, of the numbers of two nodes read with a sign.
type edge struct {
	x, y int32
	c    int64
}

// differing is the memory of differences.
type differing struct {
	edges []edge
	// ends are the bounds of the nodes of the edges, and number is that of a node's ends, from 1; 0 if it has none.
	ends   []ends
	nodes  []int32
	number []int32
}

// ends are bounds that only differences move.
type ends struct{ lo, hi int64 }

// far is beyond what the numbers of an edge may be, so that sums of them do not overflow.
const far = 1 << 60

// near reports whether a node's number is read with a sign, is the same read without one if unsigned is set, and is
// not too far from 0.
func (s *state) near(i int32, unsigned bool) bool {
	if s.nodes[i].bits < 2 {
		return false
	}
	b := &s.b[i]
	return b.slo > -far && b.shi < far && (!unsigned || b.slo >= 0)
}

// differences narrows by what is known of differences between two nodes. A cycle of them whose sum is
// negative is a conflict.
func (s *state) differences() {
	d := &s.apart
	d.edges, d.ends, d.nodes = s.edges(d.edges[:0]), d.ends[:0], d.nodes[:0]
	d.number = reuse.Slice(d.number, len(s.nodes))
	clear(d.number)
	// If propagation moved the ends, too, the number of rounds would not show a cycle.
	for k := range d.edges {
		for _, i := range [2]*int32{&d.edges[k].x, &d.edges[k].y} {
			if d.number[*i] == 0 {
				d.ends, d.nodes = append(d.ends, ends{s.b[*i].slo, s.b[*i].shi}), append(d.nodes, *i)
				d.number[*i] = int32(len(d.ends))
			}
			*i = d.number[*i] - 1
		}
	}
	for round := 0; ; round++ {
		moved := false
		for _, e := range d.edges {
			x, y := &d.ends[e.x], &d.ends[e.y]
			if most := y.hi + e.c; most < x.hi {
				x.hi, moved = most, true
			}
			if least := x.lo - e.c; least > y.lo {
				y.lo, moved = least, true
			}
			if x.lo > x.hi || y.lo > y.hi {
				s.conflict = true
				return
			}
		}
		if !moved {
			break
		}
		if round > len(d.ends) {
			s.conflict = true
			return
		}
	}
	for k, i := range d.nodes {
		b := s.b[i]
		b.slo, b.shi = max(b.slo, d.ends[k].lo), min(b.shi, d.ends[k].hi)
		s.narrow(i, b)
	}
}

// edges returns the differences that are known, appended to out.
func (s *state) edges(out []edge) []edge {
	for i := range s.nodes {
		n := &s.nodes[i]
		if len(n.args) < 2 {
			continue
		}
		x, y := n.args[0], n.args[1]
		v, known := s.value(int32(i))
		switch n.term.Op {
		case logic.OpEq, logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe:
			unsigned := n.term.Op == logic.OpULt || n.term.Op == logic.OpULe
			if known && s.near(x, unsigned) && s.near(y, unsigned) {
				out = append(out, compared(n.term.Op, v == 1, x, y)...)
			}
		case logic.OpAdd:
			out = append(out, s.summed(int32(i))...)
		case logic.OpIte:
			if c, ok := s.value(x); ok && s.near(int32(i), false) && s.near(n.args[2-c], false) {
				out = append(out, edge{int32(i), n.args[2-c], 0}, edge{n.args[2-c], int32(i), 0})
			}
		}
	}
	return out
}

// compared returns the differences that a comparison of x and y states, true or false.
func compared(op logic.Op, holds bool, x, y int32) []edge {
	switch {
	case op == logic.OpEq && holds:
		return []edge{{x, y, 0}, {y, x, 0}}
	case op == logic.OpEq:
		return nil
	case !holds: // y <= x, or y < x
		x, y = y, x
	}
	if strict := op == logic.OpULt || op == logic.OpSLt; strict == holds {
		return []edge{{x, y, -1}}
	}
	return []edge{{x, y, 0}}
}

// summed returns the differences that a sum states which does not wrap: of itself and an operand where the other one
// is known, and of a and b where it is a + -b.
func (s *state) summed(i int32) []edge {
	n := &s.nodes[i]
	if !s.near(i, false) {
		return nil
	}
	var out []edge
	for a := range 2 {
		x, y := n.args[1-a], n.args[a]
		if minus, ok := s.negated(y); ok {
			if s.near(x, false) && s.near(minus, false) && s.within(i, s.b[x].slo-s.b[minus].shi, s.b[x].shi-s.b[minus].slo) {
				out = append(out, edge{x, minus, s.b[i].shi}, edge{minus, x, -s.b[i].slo})
			}
		}
		if s.near(x, false) && s.near(y, false) && s.within(i, s.b[x].slo+s.b[y].slo, s.b[x].shi+s.b[y].shi) {
			out = append(out, edge{i, x, s.b[y].shi}, edge{x, i, -s.b[y].slo})
		}
	}
	return out
}

// within reports whether all numbers between two are numbers of a node's bits.
func (s *state) within(i int32, least, most int64) bool {
	all := full(s.nodes[i].bits)
	return all.slo <= least && most <= all.shi
}
