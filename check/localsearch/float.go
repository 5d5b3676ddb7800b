package localsearch

import (
	"math"

	"dsd/check/logic"
)

// inverseFloat is inverse for operations and comparisons of floats.
func (s *Search) inverseFloat(t *logic.Term, k int, other, want uint64) (uint64, bool) {
	n := t.Args[0].Sort.Bits()
	o := logic.FloatValue(other, n)
	var f float64
	switch t.Op {
	case logic.OpFAdd:
		f = logic.FloatValue(want, n) - o
	case logic.OpFSub:
		if k == 0 {
			f = logic.FloatValue(want, n) + o
		} else {
			f = o - logic.FloatValue(want, n)
		}
	case logic.OpFMul:
		f = logic.FloatValue(want, n) / o
	case logic.OpFDiv:
		if k == 0 {
			f = logic.FloatValue(want, n) * o
		} else {
			f = o / logic.FloatValue(want, n)
		}
	case logic.OpFLt, logic.OpFLe, logic.OpFEq:
		f = s.inverseFloatOrder(t.Op, k, o, want == 1, n)
	default:
		return 0, false
	}
	return logic.FloatBits(f, n), true
}

// inverseFloatOrder returns a float for operand k of a comparison.
func (s *Search) inverseFloatOrder(op logic.Op, k int, other float64, want bool, bits int) float64 {
	if op == logic.OpFEq {
		if want {
			return other
		}
		return other + 1
	}
	if !want && s.random.pick(4) == 0 {
		return math.NaN()
	}
	toward := math.Inf(1)
	if (k == 0) == want {
		toward = math.Inf(-1)
	}
	switch s.random.pick(3) {
	case 0:
		return other + math.Copysign(1, toward)
	case 1:
		if bits == 32 {
			return float64(math.Nextafter32(float32(other), float32(toward)))
		}
		return math.Nextafter(other, toward)
	}
	if op == logic.OpFLe {
		return other
	}
	return other + math.Copysign(100, toward)
}

// unconvert returns an operand for a conversion or negation of a float that yields want.
func (s *Search) unconvert(t *logic.Term, want uint64) (uint64, bool) {
	in, out := t.Args[0].Sort.Bits(), t.Sort.Bits()
	signed := func(v uint64, n int) float64 { return float64(int64(v<<(64-n)) >> (64 - n)) }
	var v uint64
	switch t.Op {
	case logic.OpFBits:
		v = want
	case logic.OpFNeg:
		v = logic.FloatBits(-logic.FloatValue(want, out), in)
	case logic.OpFFromS:
		v = uint64(int64(logic.FloatValue(want, out))) & logic.Mask(in)
	case logic.OpFFromU:
		v = uint64(logic.FloatValue(want, out)) & logic.Mask(in)
	case logic.OpFToS:
		v = logic.FloatBits(signed(want, out), in)
	case logic.OpFToU:
		v = logic.FloatBits(float64(want), in)
	case logic.OpFToF:
		v = logic.FloatBits(logic.FloatValue(want, out), in)
	}
	return v, t.Apply(v, 0) == want
}
