package logic

import (
	"math"
	"math/big"
)

// Cell is an address in the initial contents of a memory.
type Cell struct {
	Var  *Var
	Obj  uint32
	Slot uint64
}

// Model assigns values to variables and cells, as bits like Term.Val. All others are zero.
type Model struct {
	Vars  map[*Var]uint64
	Cells map[Cell]uint64
}

// Eval returns the value of a term under the model. It evaluates shared parts once. The term must
// not be or contain a memory; finished terms do not.
func (m *Model) Eval(t *Term) uint64 { return (&evaluation{m, map[*Term]uint64{}}).eval(t) }

// EvalAll is Eval for several terms, which may share parts.
func (m *Model) EvalAll(list []*Term) []uint64 {
	e := &evaluation{m, map[*Term]uint64{}}
	out := make([]uint64, len(list))
	for i, t := range list {
		out[i] = e.eval(t)
	}
	return out
}

// Assign calls choose for each leaf that has no value yet and assigns the result. The leaves must
// be in the order of Leaves: the address of a cell is evaluated under the values assigned so far.
func (m *Model) Assign(leaves []*Term, choose func(leaf *Term) uint64) {
	e := &evaluation{m, map[*Term]uint64{}}
	for _, l := range leaves {
		if l.Op == OpVar {
			if _, ok := m.Vars[l.Var]; !ok {
				m.Vars[l.Var] = choose(l)
			}
			continue
		}
		at := Cell{l.Var, uint32(e.eval(l.Args[0])), e.eval(l.Args[1])}
		if _, ok := m.Cells[at]; !ok {
			m.Cells[at] = choose(l)
		}
	}
}

// evaluation is an evaluation of terms that share parts.
type evaluation struct {
	m    *Model
	memo map[*Term]uint64 // values of the terms evaluated so far
}

func (e *evaluation) eval(t *Term) uint64 {
	if t.Op == OpConst {
		return t.Val
	}
	if v, ok := e.memo[t]; ok {
		return v
	}
	v := t.Sort.Normal(e.compute(t))
	e.memo[t] = v
	return v
}

// Normal returns the bits that represent a value of the sort.
func (s Sort) Normal(v uint64) uint64 {
	switch s.Kind {
	case KBV:
		return v & Mask(s.Bits())
	case KFloat:
		return canonicalNaN(v, s.Bits())
	}
	return v
}

func (e *evaluation) compute(t *Term) uint64 {
	switch t.Op {
	case OpVar:
		return e.m.Vars[t.Var]
	case OpIte:
		if e.eval(t.Args[0]) == 1 {
			return e.eval(t.Args[1])
		}
		return e.eval(t.Args[2])
	case OpAnd:
		for _, a := range t.Args {
			if e.eval(a) == 0 {
				return 0
			}
		}
		return 1
	case OpOr:
		for _, a := range t.Args {
			if e.eval(a) == 1 {
				return 1
			}
		}
		return 0
	}
	var a, b uint64
	if len(t.Args) > 0 {
		a = e.eval(t.Args[0])
	}
	if len(t.Args) > 1 {
		b = e.eval(t.Args[1])
	}
	if t.Op == OpSelect {
		return e.m.Cells[Cell{t.Var, uint32(a), b}]
	}
	return t.apply(a, b)
}

// Apply returns the value of a term with one or two operands, given theirs: a, and b if it has two.
// It must be no leaf, constant, OpAnd, OpOr or OpIte.
func (t *Term) Apply(a, b uint64) uint64 { return t.Sort.Normal(t.apply(a, b)) }

func (t *Term) apply(a, b uint64) uint64 {
	bitsIn := t.Args[0].Sort.Bits()
	switch t.Op {
	case OpNot:
		return 1 - a
	case OpEq:
		return bit(a == b)
	case OpAdd, OpMul, OpUDiv, OpURem, OpSDiv, OpSRem, OpBAnd, OpBOr, OpBXor, OpShl, OpLShr, OpAShr:
		return evalBin(t.Op, a, b, bitsIn)
	case OpULt, OpULe, OpSLt, OpSLe, OpFLt, OpFLe, OpFEq:
		return bit(evalCmp(t.Op, a, b, bitsIn))
	case OpExtract:
		return a >> t.Lo
	case OpZExt:
		return a
	case OpSExt:
		return uint64(Signed(a, bitsIn))
	case OpFAdd, OpFSub, OpFMul, OpFDiv:
		return evalFBin(t.Op, a, b, bitsIn)
	case OpFNeg, OpFFromS, OpFFromU, OpFToS, OpFToU, OpFToF, OpFBits:
		return evalFConv(t.Op, a, bitsIn, t.Sort)
	}
	panic("logic: eval of " + t.Op.String())
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// evalBin evaluates an operation on integers of n bits. The results of division by zero are those
// of SMT-LIB.
func evalBin(op Op, a, b uint64, n int) uint64 {
	all := Mask(n)
	sa, sb := Signed(a, n), Signed(b, n)
	switch op {
	case OpAdd:
		return (a + b) & all
	case OpMul:
		return (a * b) & all
	case OpUDiv:
		if b == 0 {
			return all
		}
		return a / b
	case OpURem:
		if b == 0 {
			return a
		}
		return a % b
	case OpSDiv:
		switch {
		case b == 0 && sa < 0:
			return 1
		case b == 0:
			return all
		case sb == -1: // avoids the trap of the hardware for the smallest number; the result wraps
			return -a & all
		}
		return uint64(sa/sb) & all
	case OpSRem:
		switch {
		case b == 0:
			return a
		case sb == -1:
			return 0
		}
		return uint64(sa%sb) & all
	case OpBAnd:
		return a & b
	case OpBOr:
		return a | b
	case OpBXor:
		return a ^ b
	case OpShl:
		if b >= uint64(n) {
			return 0
		}
		return a << b & all
	case OpLShr:
		if b >= uint64(n) {
			return 0
		}
		return a >> b
	case OpAShr:
		return uint64(sa>>min(b, 63)) & all
	}
	panic("logic: evalBin of " + op.String())
}

// evalCmp evaluates a comparison of integers or floats of n bits.
func evalCmp(op Op, a, b uint64, n int) bool {
	switch op {
	case OpULt:
		return a < b
	case OpULe:
		return a <= b
	case OpSLt:
		return Signed(a, n) < Signed(b, n)
	case OpSLe:
		return Signed(a, n) <= Signed(b, n)
	case OpFLt:
		return FloatValue(a, n) < FloatValue(b, n)
	case OpFLe:
		return FloatValue(a, n) <= FloatValue(b, n)
	case OpFEq:
		return FloatValue(a, n) == FloatValue(b, n)
	}
	panic("logic: evalCmp of " + op.String())
}

// FloatValue returns the IEEE number of n bits that v represents.
func FloatValue(v uint64, n int) float64 {
	if n == 32 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// canonicalNaN returns v, or the NaN that represents all NaNs if v is one. Go programs rarely
// distinguish NaNs.
func canonicalNaN(v uint64, n int) uint64 {
	if f := FloatValue(v, n); f != f {
		return FloatBits(f, n)
	}
	return v
}

// FloatBits rounds f to n bits. All NaNs become the same one.
func FloatBits(f float64, n int) uint64 {
	if n == 32 {
		if f != f {
			return 0x7fc00000
		}
		return uint64(math.Float32bits(float32(f)))
	}
	if f != f {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f)
}

func evalFBin(op Op, a, b uint64, n int) uint64 {
	x, y := FloatValue(a, n), FloatValue(b, n)
	// Rounding the 64-bit result of one operation to 32 bits gives the result of the 32-bit
	// operation.
	switch op {
	case OpFAdd:
		return FloatBits(x+y, n)
	case OpFSub:
		return FloatBits(x-y, n)
	case OpFMul:
		return FloatBits(x*y, n)
	case OpFDiv:
		return FloatBits(x/y, n)
	}
	panic("logic: evalFBin of " + op.String())
}

// evalFConv evaluates a conversion or negation of a number of n bits. A float that does not fit
// into an integer gives some value: SMT-LIB does not define it.
func evalFConv(op Op, a uint64, n int, to Sort) uint64 {
	switch op {
	case OpFNeg:
		return FloatBits(-FloatValue(a, n), n)
	case OpFFromS:
		if to.Bits() == 32 {
			return uint64(math.Float32bits(float32(Signed(a, n))))
		}
		return FloatBits(float64(Signed(a, n)), 64)
	case OpFFromU:
		if to.Bits() == 32 {
			return uint64(math.Float32bits(float32(a)))
		}
		return FloatBits(float64(a), 64)
	case OpFToF:
		return FloatBits(FloatValue(a, n), to.Bits())
	case OpFBits:
		return a
	case OpFToS, OpFToU:
		f := FloatValue(a, n)
		if f != f || math.IsInf(f, 0) {
			return 0
		}
		i, _ := big.NewFloat(math.Trunc(f)).Int(nil)
		// And uses two's complement for negative numbers.
		lo := new(big.Int).And(i, new(big.Int).SetUint64(math.MaxUint64))
		return lo.Uint64() & Mask(to.Bits())
	}
	panic("logic: evalFConv of " + op.String())
}
