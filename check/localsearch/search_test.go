package localsearch

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"dsd/check/logic"
)

// inputs are the variables of the tests.
type inputs struct {
	*logic.Builder
	x, y, z *logic.Term // integers
	s       *logic.Term // length of a string
	f       *logic.Term // float
	m       *logic.Term // memory of integers
	p, q    *logic.Term // objects
}

func newInputs() *inputs {
	b := logic.NewBuilder()
	v := func(name string, s logic.Sort, role logic.Role) *logic.Term {
		return b.Var(&logic.Var{Name: name, Sort: s, Domain: logic.Domain{Role: role, Region: 1}})
	}
	return &inputs{
		Builder: b,
		x:       v("x", logic.Int, logic.RoleNone), y: v("y", logic.Int, logic.RoleNone),
		z: v("z", logic.Int, logic.RoleNone), s: v("s", logic.Int, logic.RoleStrLen),
		f: v("f", logic.Float(64), logic.RoleNone), m: v("m", logic.Memory(logic.Int), logic.RoleNone),
		p: v("p", logic.Obj, logic.RoleObj), q: v("q", logic.Obj, logic.RoleObj),
	}
}

func (b *inputs) int(n int64) *logic.Term { return b.Const(logic.Int, uint64(n)) }

func (b *inputs) float(f float64) *logic.Term {
	return b.Const(logic.Float(64), math.Float64bits(f))
}

func TestFind(t *testing.T) {
	for name, terms := range map[string]func(b *inputs) []*logic.Term{
		"zeros suffice": func(b *inputs) []*logic.Term {
			return []*logic.Term{b.Eq(b.x, b.int(0))}
		},
		"a sum": func(b *inputs) []*logic.Term {
			return []*logic.Term{b.Eq(b.Add(b.x, b.y), b.int(12345)), b.Cmp(logic.OpSLt, b.x, b.int(-7))}
		},
		"an odd factor": func(b *inputs) []*logic.Term {
			return []*logic.Term{b.Eq(b.Mul(b.x, b.int(12345)), b.int(98765))}
		},
		"an even factor": func(b *inputs) []*logic.Term {
			return []*logic.Term{b.Eq(b.Mul(b.x, b.int(48)), b.int(480))}
		},
		"quotient and remainder": func(b *inputs) []*logic.Term {
			return []*logic.Term{
				b.Eq(b.Bin(logic.OpSDiv, b.x, b.int(10)), b.int(77)),
				b.Eq(b.Bin(logic.OpURem, b.y, b.int(10)), b.int(7)),
			}
		},
		"a chain of inequalities": func(b *inputs) []*logic.Term {
			return []*logic.Term{
				b.Cmp(logic.OpULt, b.x, b.y), b.Cmp(logic.OpULt, b.y, b.z), b.Cmp(logic.OpULt, b.z, b.s),
			}
		},
		"bits": func(b *inputs) []*logic.Term {
			return []*logic.Term{
				b.Eq(b.Bin(logic.OpBAnd, b.x, b.int(0xff0)), b.int(0x450)),
				b.Eq(b.Bin(logic.OpLShr, b.x, b.int(32)), b.int(3)),
				b.Eq(b.Extract(3, 0, b.x), b.Const(logic.BV(4), 9)),
			}
		},
		"either of two": func(b *inputs) []*logic.Term {
			return []*logic.Term{
				b.Or(b.Eq(b.x, b.int(5)), b.Eq(b.y, b.int(6))), b.Not(b.Eq(b.x, b.int(5))),
			}
		},
		"a choice": func(b *inputs) []*logic.Term {
			c := b.Ite(b.Cmp(logic.OpSLt, b.x, b.int(3)), b.y, b.int(9))
			return []*logic.Term{b.Eq(c, b.int(9)), b.Not(b.Eq(b.y, b.int(9)))}
		},
		"cells": func(b *inputs) []*logic.Term {
			at := func(o *logic.Term, i int64) *logic.Term { return b.Select(b.m, o, b.int(i)) }
			return []*logic.Term{
				b.Not(b.Eq(b.p, b.Const(logic.Obj, 0))), b.Eq(at(b.p, 0), b.int(4)),
				b.Eq(at(b.p, 1), b.Add(at(b.p, 0), b.int(1))),
			}
		},
		"two names of one cell": func(b *inputs) []*logic.Term {
			at := func(o *logic.Term) *logic.Term { return b.Select(b.m, o, b.int(0)) }
			return []*logic.Term{
				b.Eq(b.p, b.q), b.Eq(at(b.p), b.int(4)), b.Cmp(logic.OpSLt, b.int(3), at(b.q)),
			}
		},
		"a float": func(b *inputs) []*logic.Term {
			return []*logic.Term{
				b.Cmp(logic.OpFLt, b.float(2.5), b.FBin(logic.OpFMul, b.f, b.float(2))),
				b.Cmp(logic.OpFLt, b.f, b.float(3)),
			}
		},
		"the bits of a NaN": func(b *inputs) []*logic.Term {
			bits := b.FConv(logic.OpFBits, logic.Int, b.f)
			return []*logic.Term{b.Eq(bits, b.Const(logic.Int, 0x7ff8<<48))}
		},
		"a converted integer": func(b *inputs) []*logic.Term {
			f := b.FConv(logic.OpFFromS, logic.Float(64), b.x)
			return []*logic.Term{b.Cmp(logic.OpFLt, b.float(1000), f)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			terms := terms(newInputs())
			m := Find(terms, Thorough)
			if m == nil {
				t.Fatal("no model found")
			}
			for i, v := range m.EvalAll(terms) {
				if v != 1 {
					t.Errorf("%v is false", terms[i])
				}
			}
			if again := Find(terms, Thorough); fmt.Sprint(again.Vars) != fmt.Sprint(m.Vars) {
				t.Errorf("models %v and %v", m.Vars, again.Vars)
			}
		})
	}
}

// TestFindNothing: what no model satisfies is given up within the budget.
func TestFindNothing(t *testing.T) {
	b := newInputs()
	for _, terms := range [][]*logic.Term{
		{b.False()},
		{b.Cmp(logic.OpSLt, b.x, b.y), b.Cmp(logic.OpSLt, b.y, b.x)},
		{b.Eq(b.Mul(b.x, b.int(2)), b.int(7))},
		{b.Eq(b.Select(b.m, b.p, b.int(0)), b.int(1)), b.Eq(b.Select(b.m, b.q, b.int(0)), b.int(2)),
			b.Eq(b.p, b.q)},
	} {
		if m := Find(terms, Quick); m != nil {
			t.Errorf("%v: model %v", terms, m)
		}
	}
}

func TestShrink(t *testing.T) {
	b := newInputs()
	terms := []*logic.Term{
		b.Cmp(logic.OpULt, b.int(2), b.s), b.Cmp(logic.OpSLt, b.x, b.int(-4)),
	}
	m := &logic.Model{
		Vars:  map[*logic.Var]uint64{b.s.Var: 60_000, b.x.Var: 1 << 63},
		Cells: map[logic.Cell]uint64{},
	}
	m = Shrink(terms, m)
	if s, x := m.Vars[b.s.Var], int64(m.Vars[b.x.Var]); s != 3 || x != -5 {
		t.Errorf("s = %d, x = %d, want 3 and -5", s, x)
	}
}

// TestIncremental compares the values after random assignments, some of them taken back, with those
// of a whole evaluation.
func TestIncremental(t *testing.T) {
	for seed := range 300 {
		r := random(seed*2 + 1)
		terms := randomTerms(&r)
		g := logic.NewGraph(terms)
		s := New(g)
		c := corners{random: &r}
		for step := range 30 {
			if len(s.inputs) == 0 {
				break
			}
			i := s.inputs[r.pick(len(s.inputs))]
			s.assign(i, c.choose(s.nodes[i].term))
			if r.pick(3) == 0 {
				s.undo()
			}
			m := s.model()
			for k, v := range m.EvalAll(terms) {
				j := slices.Index(g.Terms, terms[k])
				if j < 0 { // a conjunction: its parts are the goals
					continue
				}
				if got := s.values[j]; got != v {
					t.Fatalf("seed %d, step %d: %v is %d, want %d", seed, step, terms[k], got, v)
				}
			}
		}
	}
}

// TestFindRandom: each model found of random terms satisfies them, and most are found whose terms are
// true in some assignment.
func TestFindRandom(t *testing.T) {
	found, all := 0, 0
	for seed := range 400 {
		r := random(seed*2 + 1)
		terms := randomTerms(&r)
		g := logic.NewGraph(terms)
		s := New(g)
		c := corners{random: &r}
		for _, i := range s.inputs {
			s.assign(i, c.choose(s.nodes[i].term))
		}
		var goals []*logic.Term
		b := randomBuilder
		for _, x := range terms {
			if j := slices.Index(g.Terms, x); j >= 0 {
				goals = append(goals, b.Eq(x, b.Const(x.Sort, s.values[j])))
			}
		}
		all++
		m := Find(goals, Thorough)
		if m == nil {
			continue
		}
		found++
		for i, v := range m.EvalAll(goals) {
			if v != 1 {
				t.Fatalf("seed %d: %v is false", seed, goals[i])
			}
		}
	}
	t.Logf("%d of %d found", found, all)
	if found*10 < all*9 {
		t.Errorf("only %d of %d found", found, all)
	}
}

// randomBuilder made the terms that randomTerms returned last.
var randomBuilder *inputs

// randomTerms returns a few random terms that share parts.
func randomTerms(r *random) []*logic.Term {
	b := newInputs()
	randomBuilder = b
	ints := []*logic.Term{b.x, b.y, b.z, b.s, b.int(3), b.int(-1), b.int(100)}
	bools := []*logic.Term{b.Cmp(logic.OpSLt, b.x, b.y)}
	objs := []*logic.Term{b.p, b.q, b.Const(logic.Obj, 1<<16)}
	pick := func(list []*logic.Term) *logic.Term { return list[r.pick(len(list))] }
	ops := []logic.Op{
		logic.OpUDiv, logic.OpURem, logic.OpSDiv, logic.OpSRem, logic.OpBAnd, logic.OpBOr, logic.OpBXor,
		logic.OpShl, logic.OpLShr, logic.OpAShr,
	}
	cmps := []logic.Op{logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe}
	for range 4 + r.pick(10) {
		switch r.pick(8) {
		case 0:
			ints = append(ints, b.Add(pick(ints), pick(ints)))
		case 1:
			ints = append(ints, b.Mul(pick(ints), pick(ints)))
		case 2:
			ints = append(ints, b.Bin(ops[r.pick(len(ops))], pick(ints), pick(ints)))
		case 3:
			ints = append(ints, b.Select(b.m, pick(objs), pick(ints)))
		case 4:
			bools = append(bools, b.Cmp(cmps[r.pick(len(cmps))], pick(ints), pick(ints)))
		case 5:
			bools = append(bools, b.Or(pick(bools), b.Not(pick(bools))))
		case 6:
			ints = append(ints, b.Ite(pick(bools), pick(ints), pick(ints)))
		case 7:
			bools = append(bools, b.And(pick(bools), b.Eq(pick(objs), pick(objs))))
		}
	}
	return []*logic.Term{pick(ints), pick(ints[4:]), pick(bools), pick(bools)}
}

// BenchmarkFind looks for a model of a typical failing access: an index past the end of a slice that
// a field of a receiver holds.
func BenchmarkFind(bench *testing.B) {
	b := newInputs()
	length := b.Select(b.m, b.p, b.int(1))
	terms := []*logic.Term{
		b.Not(b.Eq(b.p, b.Const(logic.Obj, 0))), b.Cmp(logic.OpULe, length, b.int(1<<16)),
		b.Cmp(logic.OpSLt, b.int(2), b.x), b.Not(b.Cmp(logic.OpULt, b.Add(b.x, b.int(-1)), length)),
	}
	for bench.Loop() {
		if Find(terms, Quick) == nil {
			bench.Fatal("no model found")
		}
	}
}

// TestContinued checks that a search goes on where it stopped, and that one in used memory is like one in new memory.
func TestContinued(t *testing.T) {
	continued := 0
	used := &Search{}
	for seed := range 400 {
		r := random(seed*2 + 1)
		terms := randomTerms(&r)
		g := logic.NewGraph(terms)
		used.Begin(g)
		first := used.Find(50)
		work, values := used.work, slices.Clone(used.values)
		if first == nil && used.Find(work) == nil && !slices.Equal(used.values, values) {
			t.Fatalf("seed %d: the search does not go on from the values that it had", seed)
		}
		m := used.Find(Thorough)
		if fresh := New(g).Find(50); (fresh == nil) != (first == nil) {
			t.Fatalf("seed %d: in new memory %v, in used memory %v", seed, fresh, first)
		}
		if first == nil && m != nil && work > 0 {
			continued++
			if v := m.EvalAll(terms); slices.Contains(v, 0) {
				t.Errorf("seed %d: the terms are %v", seed, v)
			}
		}
		used.End()
	}
	if continued < 20 {
		t.Errorf("%d searches found a model when they were continued", continued)
	}
}
