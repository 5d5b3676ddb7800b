package logic

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
)

// pair is a term and its mirror.
type pair struct {
	t *Term
	m *mirror
}

// generator makes terms and their mirrors from the leaves up. The operands of a new term are
// earlier ones, so that operands repeat, negate and extend each other as they do in programs.
type generator struct {
	r     *rand.Rand
	b     *Builder
	vars  []*Var
	pairs []pair
	by    map[Sort][]int // indices of pairs
}

var valueSorts = []Sort{Bool, BV(8), BV(16), BV(32), BV(64), Float(32), Float(64)}

func newGenerator(seed int64) *generator {
	g := &generator{r: rand.New(rand.NewSource(seed)), b: NewBuilder(), by: map[Sort][]int{}}
	for _, s := range valueSorts {
		for i := range 3 {
			v := &Var{Name: fmt.Sprintf("%s_%d", sortName(s), i), Sort: s, Index: len(g.vars)}
			g.vars = append(g.vars, v)
			g.push(g.b.Var(v), &mirror{op: OpVar, sort: s, v: v})
		}
	}
	return g
}

func (g *generator) push(t *Term, m *mirror) {
	g.by[m.sort] = append(g.by[m.sort], len(g.pairs))
	g.pairs = append(g.pairs, pair{t, m})
}

// value returns a value of that sort, often a boundary value.
func (g *generator) value(s Sort) uint64 {
	switch s.Kind {
	case KBool:
		return uint64(g.r.Intn(2))
	case KFloat:
		f := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -2.5, 3, 127, 128, -128, 255, 256,
			1e9, -1e9, 1 << 31, 1 << 32, 1 << 53, 1<<53 + 2,
			1 << 63, -(1 << 63), 1 << 64, 1e30, 1e300, math.MaxFloat32, math.MaxFloat64,
			math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64,
			math.Inf(1), math.Inf(-1), math.NaN(), g.r.NormFloat64(), g.r.NormFloat64() * 1e5,
			math.Ldexp(g.r.Float64(), g.r.Intn(300)-150)}
		x := f[g.r.Intn(len(f))]
		if s.Bits() == 32 {
			return bits32(float32(x))
		}
		return bits64(x)
	}
	top := uint64(1) << (s.Bits() - 1)
	edges := []uint64{0, 1, 2, 3, 7, 8, 10, ^uint64(0), ^uint64(1), top, top - 1, top + 1,
		uint64(s.Bits()), uint64(s.Bits()) - 1, 1 << g.r.Intn(s.Bits()),
		uint64(g.r.Intn(20)), -uint64(g.r.Intn(20)), 1<<62 + 1<<38 + 1, g.r.Uint64()}
	v := edges[g.r.Intn(len(edges))]
	for i := s.Bits(); i < 64; i++ {
		v &^= 1 << i
	}
	return v
}

// operand returns an earlier term of that sort, and often a constant, which many rules look for.
func (g *generator) operand(s Sort) pair {
	if g.r.Intn(4) == 0 {
		v := g.value(s)
		return pair{g.b.Const(s, v), &mirror{op: OpConst, sort: s, val: v}}
	}
	list := g.by[s]
	i := g.r.Intn(len(list))
	if g.r.Intn(2) == 0 { // a recent one, so that terms become deep
		i = len(list) - 1 - g.r.Intn(min(4, len(list)))
	}
	return g.pairs[list[i]]
}

func (g *generator) intSort() Sort   { return BV(8 << g.r.Intn(4)) }
func (g *generator) floatSort() Sort { return Float(32 << g.r.Intn(2)) }

// grow makes one more term.
func (g *generator) grow() {
	op := Op(g.r.Intn(int(OpStore)))
	b := g.b
	m := &mirror{op: op, sort: Bool}
	arg := func(s Sort) *Term {
		p := g.operand(s)
		m.args = append(m.args, p.m)
		return p.t
	}
	var t *Term
	switch op {
	case OpConst, OpVar, OpSelect:
		// Leaves exist from the start; memory_test.go tests memories.
		return

	case OpNot:
		t = b.Not(arg(Bool))

	case OpAnd, OpOr:
		if g.r.Intn(6) == 0 {
			m.op = OpOr
			p, q := arg(Bool), arg(Bool)
			m.args[0] = &mirror{op: OpNot, sort: Bool, args: []*mirror{m.args[0]}}
			t = b.Implies(p, q)
			break
		}
		args := make([]*Term, g.r.Intn(5))
		for i := range args {
			args[i] = arg(Bool)
		}
		if op == OpAnd {
			t = b.And(args...)
		} else {
			t = b.Or(args...)
		}

	case OpEq:
		s := valueSorts[g.r.Intn(len(valueSorts))]
		t = b.Eq(arg(s), arg(s))

	case OpIte:
		m.sort = valueSorts[g.r.Intn(len(valueSorts))]
		t = b.Ite(arg(Bool), arg(m.sort), arg(m.sort))

	case OpAdd:
		m.sort = g.intSort()
		if g.r.Intn(2) == 0 {
			t = b.Add(arg(m.sort), arg(m.sort))
			break
		}
		t = b.Sub(arg(m.sort), arg(m.sort))
		minus := &mirror{op: OpConst, sort: m.sort, val: ^uint64(0) >> (64 - m.sort.Bits())}
		m.args[1] = &mirror{op: OpMul, sort: m.sort, args: []*mirror{minus, m.args[1]}}

	case OpMul:
		m.sort = g.intSort()
		t = b.Mul(arg(m.sort), arg(m.sort))

	case OpUDiv, OpURem, OpSDiv, OpSRem, OpBAnd, OpBOr, OpBXor, OpShl, OpLShr, OpAShr:
		m.sort = g.intSort()
		t = b.Bin(op, arg(m.sort), arg(m.sort))

	case OpULt, OpULe, OpSLt, OpSLe:
		s := g.intSort()
		t = b.Cmp(op, arg(s), arg(s))

	case OpExtract:
		// Whole bytes, as conversions extract them, and any bits, which nothing extracts so
		// far.
		x := arg(g.intSort())
		m.sort = g.intSort()
		if m.sort.Bits() > x.Sort.Bits() {
			m.sort = x.Sort
		}
		m.lo = g.r.Intn(x.Sort.Bits() - m.sort.Bits() + 1)
		if g.r.Intn(3) > 0 {
			m.lo = 0
		}
		m.hi = m.lo + m.sort.Bits() - 1
		t = b.Extract(m.hi, m.lo, x)

	case OpZExt, OpSExt:
		x := arg(g.intSort())
		m.sort = g.intSort()
		if m.sort.Bits() < x.Sort.Bits() {
			m.sort = x.Sort
		}
		if op == OpZExt {
			t = b.ZExt(x, m.sort.Bits())
		} else {
			t = b.SExt(x, m.sort.Bits())
		}

	case OpFAdd, OpFSub, OpFMul, OpFDiv:
		m.sort = g.floatSort()
		t = b.FBin(op, arg(m.sort), arg(m.sort))

	case OpFNeg:
		m.sort = g.floatSort()
		t = b.FConv(op, m.sort, arg(m.sort))

	case OpFLt, OpFLe, OpFEq:
		s := g.floatSort()
		t = b.Cmp(op, arg(s), arg(s))

	case OpFFromS, OpFFromU:
		m.sort = g.floatSort()
		t = b.FConv(op, m.sort, arg(g.intSort()))

	case OpFToS, OpFToU:
		m.sort = g.intSort()
		t = b.FConv(op, m.sort, arg(g.floatSort()))

	case OpFToF:
		m.sort = g.floatSort()
		t = b.FConv(op, m.sort, arg(Float(96-m.sort.Bits())))

	case OpFBits:
		s := g.floatSort()
		m.sort = BV(s.Bits())
		t = b.FConv(op, m.sort, arg(s))

	default:
		panic("generator: " + op.String())
	}
	g.push(t, m)
}

// model gives every variable a value. Sometimes two of a sort share one, so that equations hold.
func (g *generator) model() *Model {
	m := &Model{Vars: map[*Var]uint64{}}
	for i, v := range g.vars {
		m.Vars[v] = g.value(v.Sort)
		if i > 0 && g.vars[i-1].Sort == v.Sort && g.r.Intn(4) == 0 {
			m.Vars[v] = m.Vars[g.vars[i-1]]
		}
	}
	return m
}

const (
	seeds       = 1200
	termsASeed  = 80
	modelsASeed = 6
)

// A term simplified by Builder has the value of its mirror.
func TestBuilderKeepsMeaning(t *testing.T) {
	for seed := range int64(seeds) {
		g := newGenerator(seed)
		for range termsASeed {
			g.grow()
		}
		for i := range modelsASeed {
			m := g.model()
			o := newOracle(m)
			terms := make([]*Term, len(g.pairs))
			for j, p := range g.pairs {
				terms[j] = p.t
			}
			got := m.EvalAll(terms)
			for j, p := range g.pairs {
				// Operands come before the terms made of them, so the first
				// difference shows the wrong rule.
				if want := o.eval(p.m); got[j] != want {
					var args []uint64
					for _, a := range p.m.args {
						args = append(args, o.eval(a))
					}
					t.Fatalf("seed %d, model %d: asked for %s\nof values %#x\nbuilt %s\ngot %#x, want %#x", seed,
						i, p.m, args, show(p.t), got[j], want)
				}
				if p.t.Sort != p.m.sort {
					t.Fatalf("seed %d: %s has the sort %v, want %v", seed, p.m, p.t.Sort, p.m.sort)
				}
			}
		}
	}
}

// If Apply substitutes the values of a model for the variables, a term becomes its value. (The
// conversion of a float to an integer that cannot hold it is undefined and remains.)
func TestSubstitutionFolds(t *testing.T) {
	for seed := range int64(seeds / 4) {
		g := newGenerator(seed)
		for range termsASeed {
			g.grow()
		}
		m := g.model()
		memo := map[*Term]*Term{}
		var subst func(t *Term) *Term
		subst = func(t *Term) *Term {
			if r := memo[t]; r != nil {
				return r
			}
			var r *Term
			if t.Op == OpVar {
				r = g.b.Const(t.Sort, m.Vars[t.Var])
			} else {
				args := make([]*Term, len(t.Args))
				for i, a := range t.Args {
					args[i] = subst(a)
				}
				r = g.b.Apply(t, args)
			}
			memo[t] = r
			return r
		}
		for _, p := range g.pairs {
			r := subst(p.t)
			if got, want := m.Eval(r), m.Eval(p.t); got != want {
				t.Fatalf("seed %d: %s becomes %s, which is %#x, want %#x", seed, show(p.t), show(r), got, want)
			}
			if _, ok := r.Const(); !ok && !converts(r) {
				t.Fatalf("seed %d: %s becomes %s, want a constant", seed, show(p.t), show(r))
			}
			if again := g.b.Apply(p.t, p.t.Args); m.Eval(again) != m.Eval(p.t) {
				t.Fatalf("seed %d: %s built again is %s", seed, show(p.t), show(again))
			}
		}
	}
}

// converts reports whether a term converts a float to an integer.
func converts(t *Term) bool {
	if t.Op == OpFToS || t.Op == OpFToU {
		return true
	}
	for _, a := range t.Args {
		if converts(a) {
			return true
		}
	}
	return false
}

// If the variables that replace float operations have the values of the operations, the new terms
// have the values of the old ones.
func TestAbstractFloats(t *testing.T) {
	for seed := range int64(seeds / 4) {
		g := newGenerator(seed)
		for range termsASeed {
			g.grow()
		}
		m := g.model()
		var terms []*Term
		floats := map[*Term]bool{}
		for _, p := range g.pairs {
			terms = append(terms, p.t)
		}
		for _, x := range reachable(terms...) {
			if floatArith(x.Op) {
				floats[x] = true
			}
		}
		if same := AbstractFloats(g.b, terms, len(floats)); &same[0] != &terms[0] {
			t.Fatalf("seed %d: there are no more than %d operations, yet they were replaced", seed,
				len(floats))
		}
		if other := AbstractFloats(g.b, terms, len(floats)-1); &other[0] == &terms[0] {
			t.Fatalf("seed %d: there are %d operations, yet they were not replaced", seed, len(floats))
		}
		abstract := AbstractFloats(g.b, terms, 0)
		byName := map[string]uint64{} // values of the new variables
		visited := map[*Term]bool{}
		var visit func(t *Term)
		visit = func(t *Term) {
			if visited[t] {
				return
			}
			visited[t] = true
			if floatArith(t.Op) {
				byName[fmt.Sprintf("float %d", t.ID)] = m.Eval(t)
			}
			for _, a := range t.Args {
				visit(a)
			}
		}
		for _, x := range terms {
			visit(x)
		}
		for _, l := range Leaves(abstract...) {
			if v, ok := byName[l.Var.Name]; ok {
				m.Vars[l.Var] = v
			}
		}
		for i, x := range abstract {
			if got, want := m.Eval(x), m.Eval(terms[i]); got != want {
				t.Fatalf("seed %d: %s became %s, which is %#x, want %#x", seed, show(terms[i]), show(x), got,
					want)
			}
			for _, p := range reachable(x) {
				if floatArith(p.Op) {
					t.Fatalf("seed %d: %s is left in %s", seed, show(p), show(x))
				}
			}
		}
	}
}

func reachable(roots ...*Term) []*Term {
	seen := map[*Term]bool{}
	var out []*Term
	var visit func(t *Term)
	visit = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			visit(a)
		}
		out = append(out, t)
	}
	for _, t := range roots {
		visit(t)
	}
	return out
}

// Terms have the form that Term documents.
func TestShape(t *testing.T) {
	for seed := range int64(seeds / 4) {
		g := newGenerator(seed)
		for range termsASeed {
			g.grow()
		}
		var roots []*Term
		for _, p := range g.pairs {
			roots = append(roots, p.t)
		}
		ids := map[int]*Term{}
		texts := map[string]*Term{}
		for _, x := range reachable(roots...) {
			if other := ids[x.ID]; other != nil {
				t.Fatalf("seed %d: %s and %s have one ID", seed, show(x), show(other))
			}
			ids[x.ID] = x
			// Terms with equal heads and arguments are the same.
			head := fmt.Sprintf("%v %v %d %p %d %d", x.Op, x.Sort, x.Val, x.Var, x.Hi, x.Lo)
			for _, a := range x.Args {
				head += fmt.Sprintf(" %d", a.ID)
				if a.ID >= x.ID {
					t.Fatalf("seed %d: %s was made before its argument %s", seed, show(x), show(a))
				}
			}
			if texts[head] != nil {
				t.Fatalf("seed %d: %s was made twice", seed, show(x))
			}
			texts[head] = x
			switch x.Op {
			case OpConst:
				if x.Sort.Kind == KBool && x.Val > 1 || x.Sort.Kind != KBool && x.Sort.Bits() < 64 &&
					x.Val>>x.Sort.Bits() != 0 {
					t.Fatalf("seed %d: a constant %#x of sort %v", seed, x.Val, x.Sort)
				}
			case OpAnd, OpOr:
				if len(x.Args) < 2 {
					t.Fatalf("seed %d: %s of too few", seed, show(x))
				}
				for i, a := range x.Args {
					if a.Op == x.Op || a.Op == OpConst || i > 0 && a.ID <= x.Args[i-1].ID {
						t.Fatalf("seed %d: %s is not flat, sorted and without constants", seed, show(x))
					}
				}
			case OpNot:
				if a := x.Args[0].Op; a == OpNot || a == OpConst || a >= OpULt && a <= OpSLe {
					t.Fatalf("seed %d: %s could be written without not", seed, show(x))
				}
			}
		}
		if len(ids) > g.b.Size() {
			t.Fatalf("seed %d: %d terms, but Size is %d", seed, len(ids), g.b.Size())
		}
	}
}

// The same calls give the same terms, including IDs.
func TestDeterminism(t *testing.T) {
	for seed := range int64(20) {
		var before []string
		for run := range 2 {
			g := newGenerator(seed)
			for range termsASeed {
				g.grow()
			}
			for i, p := range g.pairs {
				s := fmt.Sprintf("%d %s", p.t.ID, show(p.t))
				if run == 0 {
					before = append(before, s)
				} else if s != before[i] {
					t.Fatalf("seed %d: first %s, then %s", seed, before[i], s)
				}
			}
		}
	}
}
