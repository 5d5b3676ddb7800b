package refute

import (
	"fmt"
	"math/rand"
	"testing"

	"dsd/check/logic"
	"dsd/check/smt"
)

func TestRefuted(t *testing.T) {
	b := logic.NewBuilder()
	v := func(name string) *logic.Term { return b.Var(&logic.Var{Name: name, Sort: logic.Int}) }
	x, y, z, n := v("x"), v("y"), v("z"), v("n")
	c := func(k int64) *logic.Term { return b.Const(logic.Int, uint64(k)) }
	cmp, less, atMost := b.Cmp, logic.OpSLt, logic.OpSLe
	length := func(n *logic.Term) *logic.Term { return cmp(logic.OpULe, n, c(1<<16)) }
	for _, test := range []struct {
		name  string
		terms []*logic.Term
		want  bool
	}{
		{"nothing", nil, false},
		{"a range and its outside", []*logic.Term{cmp(less, x, c(3)), cmp(less, c(7), x)}, true},
		{"a range of one", []*logic.Term{cmp(less, x, c(3)), cmp(less, c(1), x)}, false},
		{"a range of one, left out", []*logic.Term{cmp(less, x, c(3)), cmp(less, c(1), x), b.Not(b.Eq(x, c(2)))}, true},
		{"an index in a loop", []*logic.Term{length(n), cmp(atMost, c(0), x), cmp(less, x, n), b.Not(cmp(logic.OpULt, x, n))}, true},
		{"an index that may be negative", []*logic.Term{length(n), cmp(less, x, n), b.Not(cmp(logic.OpULt, x, n))}, false},
		{"a slice to the next index", []*logic.Term{
			length(n), cmp(atMost, c(0), x), cmp(less, x, n), b.Not(cmp(logic.OpULe, b.Add(x, c(1)), n)),
		}, true},
		{"a cycle of differences", []*logic.Term{
			length(x), length(y), length(z), cmp(less, x, y), cmp(less, y, z), cmp(atMost, z, x),
		}, true},
		{"a cycle that may wrap", []*logic.Term{cmp(less, x, b.Add(y, c(1))), cmp(less, y, x)}, false},
		{"what is left of a length", []*logic.Term{
			length(n), cmp(atMost, c(0), x), cmp(atMost, x, n), cmp(less, b.Sub(n, x), c(0)),
		}, true},
		{"either of two, neither of which can be", []*logic.Term{
			length(n), length(x), b.Or(cmp(less, x, n), b.Eq(x, n)), cmp(less, n, x),
		}, true},
		{"either of two, one of which can be", []*logic.Term{
			length(n), length(x), b.Or(cmp(less, x, n), b.Eq(x, y)), cmp(less, n, x),
		}, false},
		{"a choice", []*logic.Term{
			b.Eq(b.Ite(cmp(less, x, c(0)), c(0), x), y), cmp(less, y, c(0)),
		}, true},
		{"the lower bits", []*logic.Term{cmp(less, c(15), b.Bin(logic.OpBAnd, x, c(15)))}, true},
	} {
		if got := new(Refuter).Refuted(logic.NewGraph(test.terms)); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// random makes terms of three numbers of a few bits and two booleans.
type random struct {
	*logic.Builder
	*rand.Rand
	bits  int
	vars  []*logic.Var
	bools []*logic.Var
}

func newRandom(seed int64, bits int) *random {
	r := &random{Builder: logic.NewBuilder(), Rand: rand.New(rand.NewSource(seed)), bits: bits}
	for i := range 3 {
		r.vars = append(r.vars, &logic.Var{Name: fmt.Sprint("v", i), Sort: logic.BV(bits), Index: i})
	}
	for i := range 2 {
		r.bools = append(r.bools, &logic.Var{Name: fmt.Sprint("b", i), Sort: logic.Bool, Index: 3 + i})
	}
	return r
}

func (r *random) number(depth int) *logic.Term {
	if depth == 0 || r.Intn(5) == 0 {
		if r.Intn(3) == 0 {
			return r.Const(logic.BV(r.bits), r.Uint64()&logic.Mask(r.bits))
		}
		return r.Var(r.vars[r.Intn(len(r.vars))])
	}
	x, y := r.number(depth-1), r.number(depth-1)
	switch k := r.Intn(17); k {
	case 0, 1:
		return r.Add(x, y)
	case 2, 3:
		return r.Sub(x, y)
	case 4:
		return r.Ite(r.bool(depth-1), x, y)
	case 5:
		w := r.bits - 2
		return r.ZExt(r.Extract(w-1, 0, x), r.bits)
	case 6:
		return r.SExt(r.Extract(r.bits-2, 1, x), r.bits)
	case 7:
		return r.Mul(x, y)
	default:
		ops := []logic.Op{logic.OpUDiv, logic.OpURem, logic.OpSDiv, logic.OpSRem, logic.OpBAnd, logic.OpBOr, logic.OpBXor,
			logic.OpShl, logic.OpLShr, logic.OpAShr}
		if r.Intn(2) == 0 {
			y = r.Const(logic.BV(r.bits), r.Uint64()&logic.Mask(r.bits))
		}
		return r.Bin(ops[r.Intn(len(ops))], x, y)
	}
}

func (r *random) bool(depth int) *logic.Term {
	if depth == 0 {
		return r.Var(r.bools[r.Intn(len(r.bools))])
	}
	switch r.Intn(9) {
	case 0:
		return r.Not(r.bool(depth - 1))
	case 1:
		return r.And(r.bool(depth-1), r.bool(depth-1), r.bool(depth-1))
	case 2:
		return r.Or(r.bool(depth-1), r.bool(depth-1))
	case 3:
		return r.Eq(r.number(depth-1), r.number(depth-1))
	case 4:
		return r.Ite(r.bool(depth-1), r.bool(depth-1), r.bool(depth-1))
	default:
		ops := []logic.Op{logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe}
		return r.Cmp(ops[r.Intn(len(ops))], r.number(depth-1), r.number(depth-1))
	}
}

// possible reports whether some values make all terms true, by trying all.
func (r *random) possible(terms []*logic.Term) bool {
	for n := range 1 << (3*r.bits + 2) {
		m := &logic.Model{Vars: map[*logic.Var]uint64{}}
		for i, v := range r.vars {
			m.Vars[v] = uint64(n) >> (i * r.bits) & logic.Mask(r.bits)
		}
		for i, v := range r.bools {
			m.Vars[v] = uint64(n) >> (3*r.bits + i) & 1
		}
		all := true
		for _, t := range terms {
			all = all && m.Eval(t) == 1
		}
		if all {
			return true
		}
	}
	return false
}

// What is refuted is impossible: all values of small numbers are tried.
func TestSound(t *testing.T) {
	impossible, refuted := 0, 0
	for seed := range int64(4000) {
		r := newRandom(seed, 3)
		var terms []*logic.Term
		for range 2 + r.Intn(6) {
			if x := r.bool(1 + r.Intn(3)); x.Op != logic.OpConst {
				terms = append(terms, x)
			}
		}
		no := new(Refuter).Refuted(logic.NewGraph(terms))
		if no || seed%8 == 0 {
			possible := r.possible(terms)
			if no && possible {
				t.Fatalf("seed %d: refuted, but possible: %v", seed, terms)
			}
			if !possible && seed%8 == 0 {
				impossible++
				if no {
					refuted++
				}
			}
		}
	}
	t.Logf("refuted %d of %d that are impossible", refuted, impossible)
	if refuted*2 < impossible {
		t.Errorf("refuted %d of %d that are impossible, less than half", refuted, impossible)
	}
}

// What is refuted of numbers of all widths, the solver finds impossible, too, or does not know.
func TestSolver(t *testing.T) {
	refuted := 0
	for seed := range int64(250) {
		r := newRandom(seed, []int{8, 16, 32, 64}[seed%4])
		var terms []*logic.Term
		for range 2 + r.Intn(6) {
			terms = append(terms, r.bool(1+r.Intn(3)))
		}
		if !new(Refuter).Refuted(logic.NewGraph(terms)) {
			continue
		}
		refuted++
		session, err := smt.NewZ3()
		if err != nil {
			t.Skip(err)
		}
		v, m, err := smt.NewSolver(session, 200_000, 5_000).Check(terms)
		session.Close()
		if err != nil {
			t.Fatal(err)
		}
		if v == smt.Sat {
			t.Errorf("seed %d: refuted, but the solver finds %v for %v", seed, m.Vars, terms)
		}
	}
	if refuted < 40 {
		t.Errorf("refuted %d only", refuted)
	}
}

// The question of a function of 200 branches.
func BenchmarkRefuted(bench *testing.B) {
	b := logic.NewBuilder()
	length := b.Var(&logic.Var{Name: "n", Sort: logic.Int})
	terms := []*logic.Term{b.Cmp(logic.OpULe, length, b.Const(logic.Int, 1<<16))}
	for i := range 200 {
		x := b.Var(&logic.Var{Name: fmt.Sprint("x", i), Sort: logic.Int, Index: i})
		y := b.Ite(b.Cmp(logic.OpSLt, x, length), x, b.Const(logic.Int, 0))
		terms = append(terms, b.Or(b.Cmp(logic.OpSLe, b.Const(logic.Int, 0), y), b.Eq(x, length)))
	}
	for bench.Loop() {
		if new(Refuter).Refuted(logic.NewGraph(terms)) {
			bench.Fatal("refuted")
		}
	}
	bench.ReportMetric(float64(logic.Size(terms...)), "terms")
}
