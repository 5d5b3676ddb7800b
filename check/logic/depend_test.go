package logic

import "testing"

// TestDepends: only the parts of a condition count that decide it.
func TestDepends(t *testing.T) {
	b := NewBuilder()
	in := &Var{Name: "in", Sort: Int}
	open := &Var{Name: "open", Sort: Int}
	cells := &Var{Name: "cells", Sort: Memory(Int)}
	n := func(i uint64) *Term { return b.Const(Int, i) }
	x, y := b.Var(in), b.Var(open)
	cell := b.Select(b.Var(cells), b.Const(Obj, 1), b.Const(Slot, 0))
	big, wild := b.Cmp(OpSLt, n(4), x), b.Cmp(OpSLt, n(1), y)
	m := &Model{Vars: map[*Var]uint64{in: 7, open: 3}, Cells: map[Cell]uint64{}}
	for _, c := range []struct {
		name string
		term *Term
		want bool
	}{
		{"input", big, false},
		{"open", wild, true},
		{"sum", b.Eq(b.Add(x, y), n(10)), true},
		{"or, decided by the input", b.Or(big, wild), false},
		{"and, which needs both", b.And(big, wild), true},
		{"and, ruled out by the input", b.And(b.Not(big), wild), false},
		{"or, which needs both to be false", b.Or(b.Not(big), b.Not(wild)), true},
		{"the branch not taken", b.Eq(b.Ite(big, x, y), n(7)), false},
		{"the branch taken", b.Eq(b.Ite(big, y, x), n(3)), true},
		{"memory that is open", b.Eq(cell, n(0)), true},
		{"an axiom", b.Cmp(OpSLe, n(0), y), false},
		{"an axiom in a conjunction", b.And(big, b.Cmp(OpSLe, n(0), y)), false},
	} {
		isOpen := func(v *Var) bool { return v == open || v == cells }
		axioms := map[*Term]bool{b.Cmp(OpSLe, n(0), y): true}
		if got := len(m.Depends([]*Term{c.term}, isOpen, axioms)) > 0; got != c.want {
			t.Errorf("%s: %v depends: %v, want %v", c.name, c.term, got, c.want)
		}
	}
}
