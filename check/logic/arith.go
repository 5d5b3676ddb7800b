package logic

import (
	"math"
	"math/bits"
)

// Add is addition modulo 2^bits; constants gather on the right.
func (b *Builder) Add(x, y *Term) *Term {
	if x.Op == OpConst {
		x, y = y, x
	}
	if x.Op == OpConst {
		return b.Const(x.Sort, x.Val+y.Val)
	}
	if y.Op == OpConst {
		if y.Val == 0 {
			return x
		}
		if x.Op == OpAdd && x.Args[1].Op == OpConst {
			return b.Add(x.Args[0], b.Const(x.Sort, x.Args[1].Val+y.Val))
		}
		if x.Op == OpIte && x.Args[1].Op == OpConst && x.Args[2].Op == OpConst {
			return b.Ite(x.Args[0], b.Add(x.Args[1], y), b.Add(x.Args[2], y))
		}
		return b.make(OpAdd, x.Sort, x, y)
	}
	// (x + c) + y is (x + y) + c.
	if x.Op == OpAdd && x.Args[1].Op == OpConst {
		return b.Add(b.Add(x.Args[0], y), x.Args[1])
	}
	if y.Op == OpAdd && y.Args[1].Op == OpConst {
		return b.Add(b.Add(x, y.Args[0]), y.Args[1])
	}
	// x + -x, and (x + -y) + y: subtraction is written with -1.
	if b.isNeg(y, x) || b.isNeg(x, y) {
		return b.Const(x.Sort, 0)
	}
	for _, p := range [][2]*Term{{x, y}, {y, x}} {
		if p[0].Op == OpAdd {
			for i, a := range p[0].Args {
				if b.isNeg(a, p[1]) || b.isNeg(p[1], a) {
					return p[0].Args[1-i]
				}
			}
		}
	}
	if x.ID > y.ID {
		x, y = y, x
	}
	return b.make(OpAdd, x.Sort, x, y)
}

// isNeg says that x is -1 * y.
func (b *Builder) isNeg(x, y *Term) bool {
	return x.Op == OpMul && x.Args[0] == y && x.Args[1].Op == OpConst && x.Args[1].Val == mask(x.Sort.Bits)
}

// Sub is x + -1*y.
func (b *Builder) Sub(x, y *Term) *Term { return b.Add(x, b.Neg(y)) }

// Neg is -1*x.
func (b *Builder) Neg(x *Term) *Term { return b.Mul(x, b.Const(x.Sort, ^uint64(0))) }

// Mul is multiplication modulo 2^bits; a constant is on the right.
func (b *Builder) Mul(x, y *Term) *Term {
	if x.Op == OpConst {
		x, y = y, x
	}
	if y.Op == OpConst {
		switch {
		case x.Op == OpConst:
			return b.Const(x.Sort, x.Val*y.Val)
		case y.Val == 0:
			return y
		case y.Val == 1:
			return x
		case x.Op == OpMul && x.Args[1].Op == OpConst:
			return b.Mul(x.Args[0], b.Const(x.Sort, x.Args[1].Val*y.Val))
		case x.Op == OpAdd && x.Args[1].Op == OpConst:
			return b.Add(b.Mul(x.Args[0], y), b.Const(x.Sort, x.Args[1].Val*y.Val))
		case x.Op == OpAdd && y.Val == mask(y.Sort.Bits): // -(p + q) is -p + -q
			return b.Add(b.Mul(x.Args[0], y), b.Mul(x.Args[1], y))
		}
		return b.make(OpMul, x.Sort, x, y)
	}
	if x.ID > y.ID {
		x, y = y, x
	}
	return b.make(OpMul, x.Sort, x, y)
}

// Bin is a binary operation on integers of one width, other than Add and Mul.
func (b *Builder) Bin(op Op, x, y *Term) *Term {
	if x.Op == OpConst && y.Op == OpConst {
		return b.Const(x.Sort, evalBin(op, x.Val, y.Val, x.Sort.Bits))
	}
	all := mask(x.Sort.Bits)
	commutes := op == OpBAnd || op == OpBOr || op == OpBXor
	if commutes && (x.Op == OpConst || y.Op != OpConst && x.ID > y.ID) {
		x, y = y, x
	}
	if k, ok := y.Const(); ok {
		switch {
		case op == OpBAnd && k == 0, op == OpURem && k == 1, op == OpSRem && k == 1:
			return b.Const(x.Sort, 0)
		case op == OpBOr && k == all:
			return y
		case op == OpBAnd && k == all, k == 0 && (op == OpBOr || op == OpBXor || op == OpShl || op == OpLShr || op == OpAShr),
			k == 1 && (op == OpUDiv || op == OpSDiv):
			return x
		case (op == OpShl || op == OpLShr) && k >= uint64(x.Sort.Bits):
			return b.Const(x.Sort, 0)
		case op == OpUDiv && bits.OnesCount64(k) == 1:
			return b.Bin(OpLShr, x, b.Const(x.Sort, uint64(bits.TrailingZeros64(k))))
		case op == OpURem && bits.OnesCount64(k) == 1:
			return b.Bin(OpBAnd, x, b.Const(x.Sort, k-1))
		}
	}
	if k, ok := x.Const(); ok && k == 0 && (op == OpShl || op == OpLShr || op == OpAShr) {
		return x
	}
	if x == y {
		switch op {
		case OpBAnd, OpBOr:
			return x
		case OpBXor:
			return b.Const(x.Sort, 0)
		}
	}
	return b.make(op, x.Sort, x, y)
}

// Cmp is a comparison: of integers by OpULt, OpULe, OpSLt, OpSLe; of floats by OpFLt, OpFLe, OpFEq.
func (b *Builder) Cmp(op Op, x, y *Term) *Term {
	if x.Op == OpConst && y.Op == OpConst {
		return b.Bool(evalCmp(op, x.Val, y.Val, x.Sort.Bits))
	}
	if x == y && op <= OpSLe {
		return b.Bool(op == OpULe || op == OpSLe)
	}
	if x.Sort.Kind == KBV {
		if r := b.cmpRange(op, x, y); r != nil {
			return r
		}
		switch {
		case op == OpULt && x.Op == OpConst && x.Val == 0:
			return b.Not(b.Eq(y, x))
		case op == OpULe && y.Op == OpConst && y.Val == 0:
			return b.Eq(x, y)
		case op == OpULt && isDecrement(x, y): // x-1 < x unless it wraps around
			return b.Not(b.Eq(y, b.Const(y.Sort, 0)))
		case op == OpULe && isDecrement(y, x):
			return b.Eq(x, b.Const(x.Sort, 0))
		}
		if x.Op == OpIte && y.Op == OpConst && (x.Args[1].Op == OpConst || x.Args[2].Op == OpConst) {
			return b.Ite(x.Args[0], b.Cmp(op, x.Args[1], y), b.Cmp(op, x.Args[2], y))
		}
		if y.Op == OpIte && x.Op == OpConst && (y.Args[1].Op == OpConst || y.Args[2].Op == OpConst) {
			return b.Ite(y.Args[0], b.Cmp(op, x, y.Args[1]), b.Cmp(op, x, y.Args[2]))
		}
	}
	return b.make(op, Bool, x, y)
}

// isDecrement says that x is y - 1.
func isDecrement(x, y *Term) bool {
	return x.Op == OpAdd && x.Args[0] == y && x.Args[1].Op == OpConst && x.Args[1].Val == mask(y.Sort.Bits)
}

// cmpRange decides a comparison by the ranges of its sides, where those are obvious; nil if they are not.
func (b *Builder) cmpRange(op Op, x, y *Term) *Term {
	signedOp := op == OpSLt || op == OpSLe
	xl, xh := b.rangeOf(x, signedOp)
	yl, yh := b.rangeOf(y, signedOp)
	lt := func(p, q uint64) bool {
		if signedOp {
			return int64(p) < int64(q)
		}
		return p < q
	}
	strict := op == OpSLt || op == OpULt
	switch {
	case strict && lt(xh, yl), !strict && !lt(yl, xh):
		return b.t
	case strict && !lt(xl, yh), !strict && lt(yh, xl):
		return b.f
	}
	return nil
}

// rangeOf bounds a term's value by its form, as 64-bit numbers read with or without sign.
func (b *Builder) rangeOf(t *Term, asSigned bool) (lo, hi uint64) {
	n := t.Sort.Bits
	switch {
	case t.Op == OpIte, t.Op == OpAdd && t.Args[1].Op == OpConst:
		k := rangeKey{t, asSigned}
		r, ok := b.ranges[k]
		if !ok {
			r.lo, r.hi = b.computeRange(t, asSigned)
			b.ranges[k] = r
		}
		return r.lo, r.hi
	case t.Op == OpConst && asSigned:
		v := uint64(signed(t.Val, n))
		return v, v
	case t.Op == OpConst:
		return t.Val, t.Val
	case t.Op == OpZExt:
		return 0, mask(t.Args[0].Sort.Bits)
	case t.Op == OpBAnd && t.Args[1].Op == OpConst && t.Args[1].Val>>(n-1) == 0:
		return 0, t.Args[1].Val
	case t.Op == OpURem && t.Args[1].Op == OpConst && t.Args[1].Val != 0 && (!asSigned || t.Args[1].Val>>(n-1) == 0):
		return 0, t.Args[1].Val - 1
	case t.Op == OpLShr && t.Args[1].Op == OpConst && t.Args[1].Val > 0 && t.Args[1].Val < uint64(n):
		return 0, mask(n) >> t.Args[1].Val
	case asSigned && t.Op == OpSExt:
		k := t.Args[0].Sort.Bits
		return uint64(int64(-1) << (k - 1)), 1<<(k-1) - 1
	case asSigned && t.Op == OpSRem && t.Args[1].Op == OpConst && signed(t.Args[1].Val, n) > 0:
		m := signed(t.Args[1].Val, n) - 1
		return uint64(-m), uint64(m)
	case asSigned:
		return uint64(int64(-1) << (n - 1)), uint64(1)<<(n-1) - 1
	}
	return 0, mask(n)
}

// rangeKey asks for the range of a term, and interval answers.
type (
	rangeKey struct {
		t        *Term
		asSigned bool
	}
	interval struct{ lo, hi uint64 }
)

// computeRange is rangeOf for a choice, or a sum with a constant.
func (b *Builder) computeRange(t *Term, asSigned bool) (lo, hi uint64) {
	n := t.Sort.Bits
	if t.Op == OpIte {
		lo, hi = b.rangeOf(t.Args[1], asSigned)
		l, h := b.rangeOf(t.Args[2], asSigned)
		if asSigned {
			return uint64(min(int64(lo), int64(l))), uint64(max(int64(hi), int64(h)))
		}
		return min(lo, l), max(hi, h)
	}
	lo, hi = b.rangeOf(t.Args[0], asSigned)
	if asSigned {
		c := signed(t.Args[1].Val, n)
		l, h := int64(lo)+c, int64(hi)+c
		// Neither end may leave the type, nor the 64 bits that we count in.
		if least, most := int64(-1)<<(n-1), int64(1)<<(n-1)-1; (l < int64(lo)) == (c < 0) && (h < int64(hi)) == (c < 0) && least <= l && h <= most && l <= h {
			return uint64(l), uint64(h)
		}
		return uint64(int64(-1) << (n - 1)), uint64(1)<<(n-1) - 1
	}
	c := t.Args[1].Val
	if h := hi + c; h >= hi && h <= mask(n) {
		return lo + c, h
	}
	return 0, mask(n)
}

// NotNegative says that a term's form shows that it is not negative as a signed number.
func (b *Builder) NotNegative(t *Term) bool {
	lo, _ := b.rangeOf(t, true)
	return int64(lo) >= 0
}

// Extract is bits hi to lo.
func (b *Builder) Extract(hi, lo int, x *Term) *Term {
	n := hi - lo + 1
	switch {
	case n == x.Sort.Bits:
		return x
	case x.Op == OpConst:
		return b.Const(BV(n), x.Val>>lo)
	case (x.Op == OpZExt || x.Op == OpSExt) && lo == 0:
		in := x.Args[0]
		switch {
		case n <= in.Sort.Bits:
			return b.Extract(hi, lo, in)
		case x.Op == OpZExt:
			return b.ZExt(in, n)
		default:
			return b.SExt(in, n)
		}
	case lo == 0 && (x.Op == OpAdd || x.Op == OpMul):
		x0, x1 := b.Extract(hi, 0, x.Args[0]), b.Extract(hi, 0, x.Args[1])
		if x.Op == OpAdd {
			return b.Add(x0, x1)
		}
		return b.Mul(x0, x1)
	case x.Op == OpIte && (x.Args[1].Op == OpConst || x.Args[2].Op == OpConst):
		return b.Ite(x.Args[0], b.Extract(hi, lo, x.Args[1]), b.Extract(hi, lo, x.Args[2]))
	}
	return b.intern(key{op: OpExtract, sort: BV(n), hi: hi, lo: lo, a: x}, []*Term{x})
}

// ZExt widens x to n bits with zeros.
func (b *Builder) ZExt(x *Term, n int) *Term {
	switch {
	case n == x.Sort.Bits:
		return x
	case x.Op == OpConst:
		return b.Const(BV(n), x.Val)
	case x.Op == OpZExt:
		return b.ZExt(x.Args[0], n)
	}
	return b.make(OpZExt, BV(n), x)
}

// SExt widens x to n bits with its sign.
func (b *Builder) SExt(x *Term, n int) *Term {
	switch {
	case n == x.Sort.Bits:
		return x
	case x.Op == OpConst:
		return b.Const(BV(n), uint64(signed(x.Val, x.Sort.Bits)))
	case x.Op == OpSExt:
		return b.SExt(x.Args[0], n)
	case x.Op == OpZExt && x.Args[0].Sort.Bits < x.Sort.Bits:
		return b.ZExt(x.Args[0], n)
	}
	return b.make(OpSExt, BV(n), x)
}

// Float operations: FBin by OpFAdd to OpFDiv; FConv converts to sort s by OpFFromS to OpFToF, and OpFNeg.
func (b *Builder) FBin(op Op, x, y *Term) *Term {
	if x.Op == OpConst && y.Op == OpConst {
		return b.Const(x.Sort, evalFBin(op, x.Val, y.Val, x.Sort.Bits))
	}
	return b.make(op, x.Sort, x, y)
}

// FConv converts x to sort s.
func (b *Builder) FConv(op Op, s Sort, x *Term) *Term {
	if x.Op == OpConst && (op != OpFToS && op != OpFToU || fitsInt(x, s, op)) {
		return b.Const(s, evalFConv(op, x.Val, x.Sort.Bits, s))
	}
	return b.make(op, s, x)
}

// fitsInt says that a float constant converts to an integer sort without overflow; what Go does otherwise depends on
// the machine.
func fitsInt(x *Term, s Sort, op Op) bool {
	f := math.Trunc(toFloat(x.Val, x.Sort.Bits))
	if op == OpFToU {
		return f >= 0 && f < math.Ldexp(1, s.Bits)
	}
	return f >= -math.Ldexp(1, s.Bits-1) && f < math.Ldexp(1, s.Bits-1)
}
