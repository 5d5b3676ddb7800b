package logic

// rangeKey and interval are the keys and values of Builder.ranges. The bounds are inclusive. They
// are 64-bit numbers, signed if asSigned is set.
type (
	rangeKey struct {
		t        *Term
		asSigned bool
	}
	interval struct{ lo, hi uint64 }
)

// cmpRange returns the value of a comparison that the ranges of its sides decide, or nil.
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

// rangeOf returns bounds of the value of t, derived from its form. With asSigned, t is read as a
// signed number.
func (b *Builder) rangeOf(t *Term, asSigned bool) (lo, hi uint64) {
	n := t.Sort.Bits()
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
		v := uint64(Signed(t.Val, n))
		return v, v
	case t.Op == OpConst:
		return t.Val, t.Val
	case t.Op == OpZExt:
		return 0, Mask(t.Args[0].Sort.Bits())
	case t.Op == OpBAnd && t.Args[1].Op == OpConst && t.Args[1].Val>>(n-1) == 0:
		return 0, t.Args[1].Val
	case t.Op == OpURem && t.Args[1].Op == OpConst && t.Args[1].Val != 0 &&
		(!asSigned || t.Args[1].Val>>(n-1) == 0):
		return 0, t.Args[1].Val - 1
	case t.Op == OpLShr && t.Args[1].Op == OpConst &&
		t.Args[1].Val > 0 && t.Args[1].Val < uint64(n):
		return 0, Mask(n) >> t.Args[1].Val
	case asSigned && t.Op == OpSExt:
		k := t.Args[0].Sort.Bits()
		return uint64(int64(-1) << (k - 1)), 1<<(k-1) - 1
	case asSigned && t.Op == OpSRem && t.Args[1].Op == OpConst && Signed(t.Args[1].Val, n) > 0:
		m := Signed(t.Args[1].Val, n) - 1
		return uint64(-m), uint64(m)
	case asSigned:
		return uint64(int64(-1) << (n - 1)), uint64(1)<<(n-1) - 1
	}
	return 0, Mask(n)
}

// computeRange is rangeOf for a choice or a sum with a constant.
func (b *Builder) computeRange(t *Term, asSigned bool) (lo, hi uint64) {
	n := t.Sort.Bits()
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
		c := Signed(t.Args[1].Val, n)
		l, h := int64(lo)+c, int64(hi)+c
		// Neither end may overflow the n bits of the sort or the 64 bits of l and h.
		least, most := int64(-1)<<(n-1), int64(1)<<(n-1)-1
		overflows := (l < int64(lo)) != (c < 0) || (h < int64(hi)) != (c < 0)
		if !overflows && least <= l && h <= most && l <= h {
			return uint64(l), uint64(h)
		}
		return uint64(int64(-1) << (n - 1)), uint64(1)<<(n-1) - 1
	}
	c := t.Args[1].Val
	if h := hi + c; h >= hi && h <= Mask(n) {
		return lo + c, h
	}
	return 0, Mask(n)
}

// NotNegative reports whether the form of t shows that it is not negative as a signed number.
func (b *Builder) NotNegative(t *Term) bool {
	lo, _ := b.rangeOf(t, true)
	return int64(lo) >= 0
}
