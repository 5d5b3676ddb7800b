package smt

import (
	"fmt"
	"math"
	"math/rand"
	"os/exec"
	"strings"
	"testing"

	"dsd/check/logic"
)

// Budgets of a query in tests, close to those of the checker.
const (
	testRlimit = 2_000_000
	testMillis = 10_000
)

// open returns a solver that uses the linked Z3.
func open(t *testing.T) *Solver {
	t.Helper()
	session, _ := NewZ3()
	t.Cleanup(session.Close)
	return NewSolver(session, testRlimit, testMillis)
}

// openProcess returns a solver that uses a z3 process. It skips the test if z3 is not installed.
func openProcess(t *testing.T) *Solver {
	t.Helper()
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("z3 is not installed")
	}
	session, err := NewProcess(path + " -in")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return NewSolver(session, testRlimit, testMillis)
}

// random makes terms over variables whose values it knows. So it can avoid what SMT-LIB does not
// define: the conversion of a float to an integer that cannot hold it, and the bits of a NaN.
type random struct {
	r     *rand.Rand
	b     *logic.Builder
	m     *logic.Model
	vars  []*logic.Term
	terms map[logic.Sort][]*logic.Term
}

var sorts = []logic.Sort{logic.Bool, logic.BV(8), logic.BV(16), logic.BV(32), logic.BV(64),
	logic.Float(32), logic.Float(64)}

func newRandom(seed int64) *random {
	g := &random{rand.New(rand.NewSource(seed)), logic.NewBuilder(),
		&logic.Model{Vars: map[*logic.Var]uint64{},
			Cells: map[logic.Cell]uint64{}}, nil, map[logic.Sort][]*logic.Term{}}
	for _, s := range sorts {
		for i := range 2 {
			v := &logic.Var{Name: fmt.Sprintf("v%d of %v", i, s), Sort: s}
			g.m.Vars[v] = g.value(s)
			g.vars = append(g.vars, g.b.Var(v))
			g.terms[s] = append(g.terms[s], g.b.Var(v))
		}
	}
	return g
}

func (g *random) value(s logic.Sort) uint64 {
	switch s.Kind {
	case logic.KBool:
		return uint64(g.r.Intn(2))
	case logic.KFloat:
		edges := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 127.5, 1e9, 1 << 31, 1 << 53,
			-(1 << 63), 1 << 63, 1e30, math.MaxFloat64,
			math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1),
			math.NaN(), g.r.NormFloat64() * 100}
		f := edges[g.r.Intn(len(edges))]
		switch {
		case f != f && s.Bits() == 32:
			return 0x7fc00000
		case f != f:
			return 0x7ff8000000000000
		case s.Bits() == 32:
			return uint64(math.Float32bits(float32(f)))
		}
		return math.Float64bits(f)
	}
	edges := []uint64{0, 0, 1, 2, 7, ^uint64(0), 1 << (s.Bits() - 1), 1<<(s.Bits()-1) - 1, uint64(s.Bits()),
		uint64(s.Bits()) - 1, g.r.Uint64()}
	v := edges[g.r.Intn(len(edges))]
	if s.Bits() < 64 {
		v &= 1<<s.Bits() - 1
	}
	return v
}

func (g *random) operand(s logic.Sort) *logic.Term {
	if g.r.Intn(6) == 0 {
		return g.b.Const(s, g.value(s))
	}
	list := g.terms[s]
	return list[g.r.Intn(len(list))]
}

func (g *random) isNaN(t *logic.Term) bool {
	f := g.float(t)
	return f != f
}

func (g *random) float(t *logic.Term) float64 {
	v := g.m.Eval(t)
	if t.Sort.Bits() == 32 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// grow makes one more term, which contains floats only if floats is set.
func (g *random) grow(floats bool) {
	b, r := g.b, g.r
	i, f := logic.BV(8<<r.Intn(4)), logic.Float(32<<r.Intn(2))
	pick := func(ops ...logic.Op) logic.Op { return ops[r.Intn(len(ops))] }
	var t *logic.Term
	kinds := 14
	if !floats {
		kinds = 9
	}
	switch r.Intn(kinds) {
	case 0:
		t = b.Not(g.operand(logic.Bool))
	case 1:
		t = b.And(g.operand(logic.Bool), g.operand(logic.Bool), g.operand(logic.Bool))
	case 2:
		t = b.Or(g.operand(logic.Bool), g.operand(logic.Bool))
	case 3:
		s := i
		if floats {
			s = sorts[r.Intn(len(sorts))]
		}
		t = b.Ite(g.operand(logic.Bool), g.operand(s), g.operand(s))
	case 4:
		s := i
		if floats {
			s = sorts[r.Intn(len(sorts))]
		}
		t = b.Eq(g.operand(s), g.operand(s))
	case 5:
		t = b.Cmp(pick(logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe), g.operand(i), g.operand(i))
	case 6:
		x, y := g.operand(i), g.operand(i)
		switch r.Intn(3) {
		case 0:
			t = b.Add(x, y)
		case 1:
			t = b.Sub(x, y)
		default:
			t = b.Mul(x, y)
		}
	case 7:
		t = b.Bin(pick(logic.OpUDiv, logic.OpURem, logic.OpSDiv, logic.OpSRem, logic.OpBAnd, logic.OpBOr,
			logic.OpBXor, logic.OpShl, logic.OpLShr, logic.OpAShr),
			g.operand(i), g.operand(i))
	case 8:
		x := g.operand(i)
		switch n := 8 << r.Intn(4); {
		case n < i.Bits():
			lo := r.Intn(i.Bits() - n + 1)
			t = b.Extract(lo+n-1, lo, x)
		case r.Intn(2) == 0:
			t = b.ZExt(x, n)
		default:
			t = b.SExt(x, n)
		}
	case 9:
		t = b.FBin(pick(logic.OpFAdd, logic.OpFSub, logic.OpFMul, logic.OpFDiv), g.operand(f),
			g.operand(f))
	case 10:
		t = b.Cmp(pick(logic.OpFLt, logic.OpFLe, logic.OpFEq), g.operand(f), g.operand(f))
	case 11:
		t = b.FConv(pick(logic.OpFFromS, logic.OpFFromU), f, g.operand(i))
	case 12:
		x, op := g.operand(f), pick(logic.OpFToS, logic.OpFToU)
		whole := math.Trunc(g.float(x))
		low, high := -math.Ldexp(1, i.Bits()-1), math.Ldexp(1, i.Bits()-1)
		if op == logic.OpFToU {
			low, high = 0, math.Ldexp(1, i.Bits())
		}
		if !(whole >= low && whole < high) {
			return
		}
		t = b.FConv(op, i, x)
	case 13:
		x := g.operand(f)
		switch r.Intn(3) {
		case 0:
			t = b.FConv(logic.OpFNeg, f, x)
		case 1:
			t = b.FConv(logic.OpFToF, logic.Float(96-f.Bits()), x)
		default:
			if g.isNaN(x) {
				return
			}
			t = b.FConv(logic.OpFBits, logic.BV(f.Bits()), x)
		}
	}
	g.terms[t.Sort] = append(g.terms[t.Sort], t)
}

// fixed returns equations of the variables with their values in the model.
func (g *random) fixed() []*logic.Term {
	var out []*logic.Term
	for _, v := range g.vars {
		out = append(out, g.b.Eq(v, g.b.Const(v.Sort, g.m.Vars[v.Var])))
	}
	return out
}

// If the variables have given values, Z3 proves that a term has the value of Eval and no other.
// This compares Writer, Z3's semantics and ours, with division by zero and shifts past the width.
func TestEvalAgreesWithZ3(t *testing.T) {
	for seed := range int64(12) {
		g := newRandom(seed)
		for range 60 {
			g.grow(true)
		}
		s := open(t)
		fixed := g.fixed()
		var all []*logic.Term
		for _, sort := range sorts {
			for _, x := range g.terms[sort] {
				if bits(x) > 0 { // Writer cannot share bits: see TestSharedFBits in check/logic
					continue
				}
				value := g.b.Const(x.Sort, g.m.Eval(x))
				is := g.b.Eq(x, value)
				all = append(all, is)
				if v, _, err := s.Check(append([]*logic.Term{g.b.Not(is)}, fixed...)); v != Unsat ||
					err != nil {
					t.Fatalf("seed %d: for %v\n%v\nis %v by Eval; can it differ? the solver says %v, error %v",
						seed, values(g), x, value, v, err)
				}
			}
		}
		// All terms together can have the values of Eval.
		v, m, err := s.Check(append(all, fixed...))
		if v != Sat || err != nil {
			t.Fatalf("seed %d: for %v, can all terms have the values of Eval? the solver says %v, error %v",
				seed, values(g), v, err)
		}
		for _, x := range g.vars {
			if got, want := m.Vars[x.Var], g.m.Vars[x.Var]; got != want {
				t.Errorf("seed %d: the model has %#x for %v, want %#x", seed, got, x, want)
			}
		}
	}
}

// bits counts the uses of OpFBits in a term.
func bits(t *logic.Term) int {
	n := 0
	if t.Op == logic.OpFBits {
		n++
	}
	for _, a := range t.Args {
		n += bits(a)
	}
	return n
}

func values(g *random) string {
	var out []string
	for _, v := range g.vars {
		out = append(out, fmt.Sprintf("%v = %#x", v, g.m.Vars[v.Var]))
	}
	return strings.Join(out, ", ")
}

// A model of the solver satisfies the query by Eval, and the solver finds a model if there is one.
func TestModelsHold(t *testing.T) {
	for seed := range int64(12) {
		g := newRandom(seed)
		for range 25 {
			g.grow(seed%3 == 0)
		}
		s := open(t)
		known := 0
		for _, x := range g.terms[logic.Bool] {
			if bits(x) > 0 {
				continue
			}
			// Our values are a model.
			ask := x
			if g.m.Eval(x) == 0 {
				ask = g.b.Not(x)
			}
			v, m, err := s.Check([]*logic.Term{ask})
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, ask, err)
			}
			if v == Unsat {
				t.Fatalf("seed %d: %v is true for %v, but the solver says unsat", seed, ask, values(g))
			}
			if v == Sat {
				known++
				if m.Eval(ask) != 1 && !conversion(ask) {
					t.Fatalf("seed %d: the solver's model of %v does not satisfy it: %v", seed, ask, m.Vars)
				}
			}
		}
		if known == 0 {
			t.Errorf("seed %d: the solver found no model", seed)
		}
	}
}

// conversion reports whether a term converts a float to an integer. Out of range, the solver
// chooses the value.
func conversion(t *logic.Term) bool {
	if t.Op == logic.OpFToS || t.Op == logic.OpFToU {
		return true
	}
	for _, a := range t.Args {
		if conversion(a) {
			return true
		}
	}
	return false
}
