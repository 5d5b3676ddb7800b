package logic

import (
	"fmt"
	"slices"
	"testing"
)

// TestDigest checks that a digest ignores the names of variables and the other terms of the builder, and nothing else.
func TestDigest(t *testing.T) {
	// condition returns whether a slice of length n has an element at i, which may be k.
	condition := func(b *Builder, n, i, cells *Var, k uint64) []*Term {
		elem := b.Select(b.Var(cells), b.Const(Obj, 1), b.Var(i))
		return []*Term{b.Cmp(OpSLt, b.Var(i), b.Var(n)), b.Eq(elem, b.Const(Int, k))}
	}
	vars := func(suffix string) (n, i, cells *Var) {
		return &Var{Name: "n" + suffix, Sort: Int, Domain: Domain{Role: RoleLen}}, &Var{Name: "i" + suffix, Sort: Int},
			&Var{Name: "cells" + suffix, Sort: Memory(Int)}
	}
	n, i, cells := vars("")
	want, order := Digest(condition(NewBuilder(), n, i, cells, 7))

	other := NewBuilder()
	n2, i2, cells2 := vars("2")
	other.Add(other.Var(i2), other.Var(n2))
	other.Var(&Var{Name: "more", Sort: Bool})
	if sum, _ := Digest(condition(other, n2, i2, cells2, 7)); sum == want {
		t.Error("the order of construction makes no difference")
	}
	other = NewBuilder()
	for k := range uint64(9) {
		other.Var(&Var{Name: fmt.Sprint("more", k), Sort: Bool})
	}
	got, order2 := Digest(condition(other, n2, i2, cells2, 7))
	if got != want {
		t.Error("names, or other terms of the builder, make a difference")
	}
	for at, v := range []*Var{i, cells, n} {
		w := []*Var{i2, cells2, n2}[at]
		if at >= len(order) || at >= len(order2) || order[at] != v || order2[at] != w {
			t.Errorf("variable %d is not %s, %s", at, v.Name, w.Name)
		}
	}

	reversed := func(terms []*Term) []*Term {
		slices.Reverse(terms)
		return terms
	}
	same := *n
	same.Domain.Role = RoleCap
	for name, terms := range map[string][]*Term{
		"another constant": condition(NewBuilder(), n, i, cells, 8),
		"another role":     condition(NewBuilder(), &same, i, cells, 7),
		"one variable":     condition(NewBuilder(), i, i, cells, 7),
		"less":             condition(NewBuilder(), n, i, cells, 7)[:1],
		"another order":    reversed(condition(NewBuilder(), n, i, cells, 7)),
	} {
		if got, _ := Digest(terms); got == want {
			t.Errorf("%s makes no difference", name)
		}
	}
}
