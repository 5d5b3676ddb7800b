package logic

import (
	"fmt"
	"math"
	"math/big"
)

// mirror is a term as requested: nothing is shared, folded or reordered. Its evaluator is the
// oracle for Builder and Model.Eval. It computes with big.Int and Go's floats and uses nothing from
// arith.go and eval.go.
type mirror struct {
	op     Op
	sort   Sort
	args   []*mirror
	val    uint64 // of OpConst
	v      *Var   // of OpVar
	hi, lo int
	mem    *memory // of OpSelect, at args[0], args[1]
}

// String prints the upper levels of a mirror. Without sharing, all of it can be exponentially long.
func (m *mirror) String() string { return m.text(5) }

func (m *mirror) text(depth int) string {
	switch {
	case m.op == OpConst:
		return fmt.Sprintf("%#x:%s", m.val, sortName(m.sort))
	case m.op == OpVar:
		return m.v.Name
	case depth == 0:
		return "..."
	}
	s := "(" + m.op.String()
	switch m.op {
	case OpExtract:
		s += fmt.Sprintf("[%d:%d]", m.hi, m.lo)
	case OpSelect:
		s += " " + m.mem.text(depth-1)
	}
	s += ":" + sortName(m.sort)
	for _, a := range m.args {
		s += " " + a.text(depth-1)
	}
	return s + ")"
}

// show prints the upper levels of a term.
func show(t *Term) string { return showTo(t, 5) }

func showTo(t *Term, depth int) string {
	switch {
	case len(t.Args) == 0:
		return t.String()
	case depth == 0:
		return fmt.Sprintf("t%d", t.ID)
	}
	s := "(" + t.Op.String()
	if t.Op == OpExtract {
		s += fmt.Sprintf("[%d:%d]", t.Hi, t.Lo)
	}
	if t.Op == OpSelect {
		s += " " + t.Var.Name
	}
	s += ":" + sortName(t.Sort)
	for _, a := range t.Args {
		s += " " + showTo(a, depth-1)
	}
	return s + ")"
}

func sortName(s Sort) string {
	return fmt.Sprintf("%s%d", [...]string{"bool", "i", "f", "mem"}[s.Kind], s.Bits())
}

// oracle evaluates mirrors under an assignment.
type oracle struct {
	m        *Model
	memo     map[*mirror]uint64
	memories map[*memory]*contents
}

func newOracle(m *Model) *oracle {
	return &oracle{m: m, memo: map[*mirror]uint64{}, memories: map[*memory]*contents{}}
}

func (o *oracle) eval(m *mirror) uint64 {
	if v, ok := o.memo[m]; ok {
		return v
	}
	v := o.compute(m)
	o.memo[m] = v
	return v
}

func (o *oracle) compute(m *mirror) uint64 {
	a := make([]uint64, len(m.args))
	for i, x := range m.args {
		a[i] = o.eval(x)
	}
	bit := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	// For integer operations: the operands with and without sign, and the result modulo 2^bits.
	n := m.sort.Bits()
	if len(m.args) > 0 {
		n = m.args[0].sort.Bits()
	}
	u := func(i int) *big.Int { return new(big.Int).SetUint64(a[i]) }
	s := func(i int) *big.Int {
		x := u(i)
		if x.Bit(n-1) == 1 {
			x.Sub(x, pow2(n))
		}
		return x
	}
	wrap := func(x *big.Int) uint64 { return new(big.Int).Mod(x, pow2(m.sort.Bits())).Uint64() }
	amount := func() uint { // of a shift, cut to a number larger than any width
		if a[1] > 64 {
			return 64
		}
		return uint(a[1])
	}
	switch m.op {
	case OpConst:
		return m.val
	case OpVar:
		return o.m.Vars[m.v]
	case OpSelect:
		return o.contents(m.mem).read(o, uint32(a[0]), a[1])

	case OpNot:
		return bit(a[0] == 0)
	case OpAnd:
		v := true
		for _, x := range a {
			v = v && x == 1
		}
		return bit(v)
	case OpOr:
		v := false
		for _, x := range a {
			v = v || x == 1
		}
		return bit(v)
	case OpEq:
		if m.args[0].sort.Kind == KFloat { // identity: NaN equals NaN, 0 differs from -0
			return bit(a[0] == a[1] || isNaN(a[0], n) && isNaN(a[1], n))
		}
		return bit(a[0] == a[1])
	case OpIte:
		if a[0] == 1 {
			return a[1]
		}
		return a[2]

	case OpAdd:
		return wrap(new(big.Int).Add(u(0), u(1)))
	case OpMul:
		return wrap(new(big.Int).Mul(u(0), u(1)))
	case OpUDiv:
		if a[1] == 0 {
			return wrap(big.NewInt(-1))
		}
		return wrap(new(big.Int).Quo(u(0), u(1)))
	case OpURem:
		if a[1] == 0 {
			return a[0]
		}
		return wrap(new(big.Int).Rem(u(0), u(1)))
	case OpSDiv:
		if a[1] == 0 { // SMT-LIB: 1 for a negative dividend, else -1
			if s(0).Sign() < 0 {
				return 1
			}
			return wrap(big.NewInt(-1))
		}
		return wrap(new(big.Int).Quo(s(0), s(1)))
	case OpSRem:
		if a[1] == 0 {
			return a[0]
		}
		return wrap(new(big.Int).Rem(s(0), s(1)))
	case OpBAnd:
		return wrap(new(big.Int).And(u(0), u(1)))
	case OpBOr:
		return wrap(new(big.Int).Or(u(0), u(1)))
	case OpBXor:
		return wrap(new(big.Int).Xor(u(0), u(1)))
	case OpShl:
		return wrap(new(big.Int).Lsh(u(0), amount()))
	case OpLShr:
		return wrap(new(big.Int).Rsh(u(0), amount()))
	case OpAShr:
		return wrap(new(big.Int).Rsh(s(0), amount())) // rounds down, as an arithmetic shift does
	case OpULt:
		return bit(u(0).Cmp(u(1)) < 0)
	case OpULe:
		return bit(u(0).Cmp(u(1)) <= 0)
	case OpSLt:
		return bit(s(0).Cmp(s(1)) < 0)
	case OpSLe:
		return bit(s(0).Cmp(s(1)) <= 0)
	case OpExtract:
		return wrap(new(big.Int).Rsh(u(0), uint(m.lo)))
	case OpZExt:
		return wrap(u(0))
	case OpSExt:
		return wrap(s(0))

	case OpFAdd, OpFSub, OpFMul, OpFDiv:
		if n == 32 {
			return bits32(arith(m.op, math.Float32frombits(uint32(a[0])),
				math.Float32frombits(uint32(a[1]))))
		}
		return bits64(arith(m.op, math.Float64frombits(a[0]), math.Float64frombits(a[1])))
	case OpFNeg:
		if isNaN(a[0], n) {
			return a[0]
		}
		return a[0] ^ 1<<(n-1)
	case OpFLt:
		return bit(float(a[0], n) < float(a[1], n))
	case OpFLe:
		return bit(float(a[0], n) <= float(a[1], n))
	case OpFEq:
		return bit(float(a[0], n) == float(a[1], n))
	case OpFFromS:
		return fromInt(s(0), m.sort.Bits())
	case OpFFromU:
		return fromInt(u(0), m.sort.Bits())
	case OpFToS, OpFToU:
		f := float(a[0], n)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return 0
		}
		i, _ := new(big.Float).SetFloat64(f).Int(nil) // towards zero
		return wrap(i)
	case OpFToF:
		if m.sort.Bits() == 32 {
			return bits32(float32(float(a[0], n)))
		}
		return bits64(float(a[0], n))
	case OpFBits:
		return a[0]
	}
	panic("no oracle for " + m.op.String())
}

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func isNaN(bits uint64, n int) bool { return math.IsNaN(float(bits, n)) }

func float(bits uint64, n int) float64 {
	if n == 32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// The bits of a float, with one NaN.
func bits64(f float64) uint64 {
	if math.IsNaN(f) {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f)
}

func bits32(f float32) uint64 {
	if math.IsNaN(float64(f)) {
		return 0x7fc00000
	}
	return uint64(math.Float32bits(f))
}

func arith[F float32 | float64](op Op, x, y F) F {
	switch op {
	case OpFAdd:
		return x + y
	case OpFSub:
		return x - y
	case OpFMul:
		return x * y
	}
	return x / y
}

// fromInt returns the nearest float of that many bits.
func fromInt(i *big.Int, bits int) uint64 {
	f := new(big.Float).SetInt(i)
	if bits == 32 {
		x, _ := f.Float32()
		return bits32(x)
	}
	x, _ := f.Float64()
	return bits64(x)
}
