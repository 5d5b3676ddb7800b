package localsearch

import (
	"math/bits"

	"dsd/check/logic"
)

// inverse returns a value for operand k of a term of two operands, so that the term has the value
// want: now is the operand's value, other that of the other operand. It returns false if it knows
// none.
func (s *Search) inverse(t *logic.Term, k int, now, other, want uint64) (uint64, bool) {
	switch t.Args[0].Sort.Kind {
	case logic.KFloat:
		return s.inverseFloat(t, k, other, want)
	case logic.KBV:
	default:
		return 0, false
	}
	n := t.Args[0].Sort.Bits()
	var v uint64
	ok := true
	switch t.Op {
	case logic.OpULt, logic.OpULe, logic.OpSLt, logic.OpSLe:
		return s.inverseOrder(t, k, other, want == 1)
	case logic.OpAdd:
		v = want - other
	case logic.OpMul:
		v, ok = s.inverseMul(other, want, n)
	case logic.OpUDiv, logic.OpSDiv:
		if k == 0 {
			v = want * other // a = want * b leaves no remainder
		} else if want != 0 {
			v = divisor(t.Op, other, want, n)
		} else {
			v = other + 1
		}
	case logic.OpURem, logic.OpSRem:
		if k == 0 {
			v = want
		} else {
			v = other - want // a % (a - want) is want if that is large enough
		}
	case logic.OpBAnd:
		v = now&^other | want
	case logic.OpBOr:
		v = now&other | want&^other
	case logic.OpBXor:
		v = want ^ other
	case logic.OpShl, logic.OpLShr, logic.OpAShr:
		v, ok = s.inverseShift(t.Op, k, now, other, want, n)
	default:
		return 0, false
	}
	return v & logic.Mask(n), ok
}

// divisor returns b so that a / b may be want, which is not 0: a / (a / want) often is.
func divisor(op logic.Op, a, want uint64, n int) uint64 {
	if op == logic.OpUDiv {
		return a / want
	}
	shift := 64 - n
	x, y := int64(a<<shift)>>shift, int64(want<<shift)>>shift
	if y == -1 {
		return -a
	}
	return uint64(x / y)
}

// inverseOrder returns a value for operand k of a comparison so that it has the result want.
func (s *Search) inverseOrder(t *logic.Term, k int, other uint64, want bool) (uint64, bool) {
	n := t.Args[0].Sort.Bits()
	all := logic.Mask(n)
	// Signed numbers are ordered as unsigned ones are whose sign bit is flipped.
	flip := uint64(0)
	if t.Op == logic.OpSLt || t.Op == logic.OpSLe {
		flip = 1 << (n - 1)
	}
	strict := t.Op == logic.OpULt || t.Op == logic.OpSLt
	below := (k == 0) == want // the operand is to be below the other
	if !want {
		strict = !strict
	}
	o := (other ^ flip) & all
	limit := o
	if strict {
		if below && o == 0 || !below && o == all {
			return 0, false
		}
		if below {
			limit--
		} else {
			limit++
		}
	}
	// The nearest value, or 0 where that suits.
	if z := flip; s.random.pick(3) == 0 && (below && z <= limit || !below && z >= limit) {
		return 0, true
	}
	if s.random.pick(4) == 0 { // further away
		d := uint64(1) << s.random.pick(min(n-1, 8))
		if below && limit >= d {
			limit -= d
		} else if !below && all-limit >= d {
			limit += d
		}
	}
	return limit ^ flip, true
}

// inverseMul returns a factor for a product of n bits.
func (s *Search) inverseMul(other, want uint64, n int) (uint64, bool) {
	switch {
	case other == 0:
		return 0, false
	case other&1 == 1:
		// Newton's iteration for the inverse modulo 2^64: each step doubles the correct bits.
		x := other
		for range 6 {
			x *= 2 - other*x
		}
		return x * want, true
	}
	z := bits.TrailingZeros64(other)
	if want&logic.Mask(z) != 0 {
		return 0, false
	}
	odd := other >> z
	x := odd
	for range 6 {
		x *= 2 - odd*x
	}
	return x * (want >> z) & logic.Mask(n-z), true
}

// inverseShift returns a value for operand k of a shift: 0 is the number, 1 the amount.
func (s *Search) inverseShift(op logic.Op, k int, now, other, want uint64, n int) (uint64, bool) {
	if k == 1 {
		return uint64(s.random.pick(n + 1)), true
	}
	if other >= uint64(n) {
		return now, false
	}
	if op == logic.OpShl {
		return want>>other | now&^(logic.Mask(n)>>other), true
	}
	return want<<other | now&logic.Mask(int(other)), true
}
