package logic

import (
	"math"
	"math/bits"
)

// Add returns x + y modulo 2^bits. A constant summand is the second argument of the result.
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
	// x + -x is 0, and (x + -y) + y is x. Subtraction is a multiplication by -1.
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

// isNeg reports whether x is -1 * y.
func (b *Builder) isNeg(x, y *Term) bool {
	return x.Op == OpMul && x.Args[0] == y &&
		x.Args[1].Op == OpConst && x.Args[1].Val == Mask(x.Sort.Bits())
}

// Sub returns x - y modulo 2^bits, as x + -1*y.
func (b *Builder) Sub(x, y *Term) *Term { return b.Add(x, b.Neg(y)) }

// Neg returns -x modulo 2^bits, as -1*x.
func (b *Builder) Neg(x *Term) *Term { return b.Mul(x, b.Const(x.Sort, ^uint64(0))) }

// Mul returns x * y modulo 2^bits. A constant factor is the second argument of the result.
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
		case x.Op == OpAdd && y.Val == Mask(y.Sort.Bits()): // -(p + q) is -p + -q
			return b.Add(b.Mul(x.Args[0], y), b.Mul(x.Args[1], y))
		}
		return b.make(OpMul, x.Sort, x, y)
	}
	if x.ID > y.ID {
		x, y = y, x
	}
	return b.make(OpMul, x.Sort, x, y)
}

// Bin returns a binary operation other than Add and Mul on integers of one width.
func (b *Builder) Bin(op Op, x, y *Term) *Term {
	if x.Op == OpConst && y.Op == OpConst {
		return b.Const(x.Sort, evalBin(op, x.Val, y.Val, x.Sort.Bits()))
	}
	all := Mask(x.Sort.Bits())
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
		case op == OpBAnd && k == all,
			k == 0 && (op == OpBOr || op == OpBXor || op == OpShl || op == OpLShr || op == OpAShr),
			k == 1 && (op == OpUDiv || op == OpSDiv):
			return x
		case (op == OpShl || op == OpLShr) && k >= uint64(x.Sort.Bits()):
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

// Cmp returns a comparison: of integers by OpULt, OpULe, OpSLt or OpSLe, or of floats by OpFLt,
// OpFLe or OpFEq.
func (b *Builder) Cmp(op Op, x, y *Term) *Term {
	if x.Op == OpConst && y.Op == OpConst {
		return b.Bool(evalCmp(op, x.Val, y.Val, x.Sort.Bits()))
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

// isDecrement reports whether x is y - 1.
func isDecrement(x, y *Term) bool {
	return x.Op == OpAdd && x.Args[0] == y &&
		x.Args[1].Op == OpConst && x.Args[1].Val == Mask(y.Sort.Bits())
}

// Extract returns the bits hi down to lo of x.
func (b *Builder) Extract(hi, lo int, x *Term) *Term {
	n := hi - lo + 1
	switch {
	case n == x.Sort.Bits():
		return x
	case x.Op == OpConst:
		return b.Const(BV(n), x.Val>>lo)
	case (x.Op == OpZExt || x.Op == OpSExt) && lo == 0:
		in := x.Args[0]
		switch {
		case n <= in.Sort.Bits():
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
	return b.intern(Term{Op: OpExtract, Sort: BV(n), Hi: uint8(hi), Lo: uint8(lo)}, x)
}

// ZExt returns x extended to n bits with zeros.
func (b *Builder) ZExt(x *Term, n int) *Term {
	switch {
	case n == x.Sort.Bits():
		return x
	case x.Op == OpConst:
		return b.Const(BV(n), x.Val)
	case x.Op == OpZExt:
		return b.ZExt(x.Args[0], n)
	}
	return b.make(OpZExt, BV(n), x)
}

// SExt returns x extended to n bits with its sign.
func (b *Builder) SExt(x *Term, n int) *Term {
	switch {
	case n == x.Sort.Bits():
		return x
	case x.Op == OpConst:
		return b.Const(BV(n), uint64(Signed(x.Val, x.Sort.Bits())))
	case x.Op == OpSExt:
		return b.SExt(x.Args[0], n)
	case x.Op == OpZExt && x.Args[0].Sort.Bits() < x.Sort.Bits():
		return b.ZExt(x.Args[0], n)
	}
	return b.make(OpSExt, BV(n), x)
}

// FBin returns a binary operation on floats: OpFAdd, OpFSub, OpFMul or OpFDiv.
func (b *Builder) FBin(op Op, x, y *Term) *Term {
	if x.Op == OpConst && y.Op == OpConst {
		return b.Const(x.Sort, evalFBin(op, x.Val, y.Val, x.Sort.Bits()))
	}
	return b.make(op, x.Sort, x, y)
}

// FConv returns a conversion of x to sort s: OpFFromS, OpFFromU, OpFToS, OpFToU, OpFToF or OpFBits;
// or OpFNeg. A constant float that does not fit into an integer is not folded: its value depends on
// the machine.
func (b *Builder) FConv(op Op, s Sort, x *Term) *Term {
	if x.Op == OpConst && (op != OpFToS && op != OpFToU || fitsInt(x, s, op)) {
		return b.Const(s, evalFConv(op, x.Val, x.Sort.Bits(), s))
	}
	return b.make(op, s, x)
}

// fitsInt reports whether a float constant converts to the integer sort s without overflow.
func fitsInt(x *Term, s Sort, op Op) bool {
	f := math.Trunc(FloatValue(x.Val, x.Sort.Bits()))
	if op == OpFToU {
		return f >= 0 && f < math.Ldexp(1, s.Bits())
	}
	return f >= -math.Ldexp(1, s.Bits()-1) && f < math.Ldexp(1, s.Bits()-1)
}
