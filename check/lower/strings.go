package lower

import (
	"go/types"

	"dsd/check/logic"
)

// maxCompare is the number of bytes up to which strings of unknown length are compared and
// converted. Whether longer ones are equal is unknown; executions that order or convert them are out of
// bounds.
const maxCompare = 8

// maxConstantCompare is the number of bytes of a string of known length that are compared. Whether the
// others are equal is unknown.
const maxConstantCompare = 64

// byteAt returns byte i of a string; i must be in range.
func (em *emitter) byteAt(s Value, i *logic.Term) *logic.Term {
	return em.b.Select(em.b.Var(em.w.StringBytes()), s.Leaves[0], em.b.Add(s.Leaves[1], i))
}

// literalLen returns the length of a string, and reports whether it is a constant.
func literalLen(s Value) (uint64, bool) { return s.Leaves[2].Const() }

// stringEqual returns x == y for strings: equal lengths and equal bytes.
func (em *emitter) stringEqual(x, y Value) *logic.Term {
	sameLen := em.b.Eq(x.Leaves[2], y.Leaves[2])
	if sameLen.IsFalse() {
		return sameLen
	}
	n, known := literalLen(x)
	if !known {
		n, known = literalLen(y)
	}
	same := em.b.And(em.b.Eq(x.Leaves[0], y.Leaves[0]), em.b.Eq(x.Leaves[1], y.Leaves[1]))
	parts := []*logic.Term{}
	if known {
		for i := range min(n, maxConstantCompare) {
			k := em.int(int64(i))
			parts = append(parts, em.b.Eq(em.byteAt(x, k), em.byteAt(y, k)))
		}
		equal := em.b.And(parts...)
		if n > maxConstantCompare && !same.IsTrue() && !equal.IsFalse() {
			equal = em.b.Or(same, em.b.And(equal, em.restEqual(same)))
		}
		return em.b.And(sameLen, equal)
	}
	for i := range int64(maxCompare) {
		k := em.int(i)
		past := em.b.Cmp(logic.OpSLe, x.Leaves[2], k)
		parts = append(parts, em.b.Or(past, em.b.Eq(em.byteAt(x, k), em.byteAt(y, k))))
	}
	if same.IsTrue() {
		return sameLen
	}
	shortX := em.b.Cmp(logic.OpSLe, x.Leaves[2], em.int(maxCompare))
	shortY := em.b.Cmp(logic.OpSLe, y.Leaves[2], em.int(maxCompare))
	parts = append(parts, em.restEqual(em.b.Or(same, shortX, shortY)))
	return em.b.And(sameLen, em.b.Or(same, em.b.And(parts...)))
}

// restEqual returns whether what follows the compared bytes of two strings is equal: true if decided,
// else unknown. A contract, which has no unknown values, says nothing of long strings.
func (em *emitter) restEqual(decided *logic.Term) *logic.Term {
	if em.cur == nil {
		em.bound(decided, boundStrings)
		return em.b.True()
	}
	rest := em.unknown("equal", "whether two long strings are equal", types.Typ[types.Bool]).Leaves[0]
	return em.b.Or(decided, rest)
}

// stringLess returns x < y for strings or, unless strict, x <= y. With less(i) for the strings
// without their first i bytes, it builds less(0) from the back:
//
//	less(i) = !strict                                     if both end at i
//	          true                                        if only x ends at i
//	          false                                       if only y ends at i
//	          x[i] < y[i] || x[i] == y[i] && less(i+1)    otherwise
func (em *emitter) stringLess(x, y Value, strict bool) *logic.Term {
	nx, ny := x.Leaves[2], y.Leaves[2]
	shortX := em.b.Cmp(logic.OpSLe, nx, em.int(maxCompare))
	shortY := em.b.Cmp(logic.OpSLe, ny, em.int(maxCompare))
	em.bound(em.b.Or(shortX, shortY), boundStrings)
	r := em.b.Bool(!strict)
	for i := int64(maxCompare); i >= 0; i-- {
		endX := em.b.Cmp(logic.OpSLe, nx, em.int(i))
		endY := em.b.Cmp(logic.OpSLe, ny, em.int(i))
		bx, by := em.byteAt(x, em.int(i)), em.byteAt(y, em.int(i))
		inside := em.b.Or(em.b.Cmp(logic.OpULt, bx, by), em.b.And(em.b.Eq(bx, by), r))
		oneEnds := em.b.Ite(endX, em.b.True(), em.b.Ite(endY, em.b.False(), inside))
		r = em.b.Ite(em.b.And(endX, endY), em.b.Bool(!strict), oneEnds)
	}
	return r
}

// concat returns x + y for strings: a new object with the bytes of both.
func (em *emitter) concat(x, y Value) Value {
	obj := em.newObjectOf(types.Typ[types.String])
	m := em.w.StringBytes()
	zero := em.slot0()
	text := em.b.Var(m)
	em.assign(m, em.b.Copy(text, obj, zero, x.Leaves[2], text, x.Leaves[0], x.Leaves[1]))
	em.assign(m, em.b.Copy(text, obj, x.Leaves[2], y.Leaves[2], text, y.Leaves[0], y.Leaves[1]))
	return tuple(x.Type, obj, zero, em.temp(em.b.Add(x.Leaves[2], y.Leaves[2])))
}

// byteMemory returns the memory of the elements of a slice of bytes or runes.
func (em *emitter) byteMemory(elem types.Type) *logic.Var {
	return em.w.Memories(em.w.typeKey(elem), elem)[0]
}

// decodeRune returns the rune at byte i of s and its width, as utf8.DecodeRuneInString does. The
// ranges of the second byte are those of well-formed UTF-8 (The Unicode Standard, table 3-7).
func (em *emitter) decodeRune(s Value, i *logic.Term) (r, n *logic.Term) {
	b := em.b
	c := func(v uint64) *logic.Term { return b.Const(logic.BV(8), v) }
	in := func(x *logic.Term, lo, hi uint64) *logic.Term {
		return b.And(b.Cmp(logic.OpULe, c(lo), x), b.Cmp(logic.OpULe, x, c(hi)))
	}
	left := b.Sub(s.Leaves[2], i)
	var by [4]*logic.Term
	for k := range by {
		by[k] = em.byteAt(s, b.Add(i, em.int(int64(k))))
	}
	has := func(n int64) *logic.Term { return b.Cmp(logic.OpSLe, em.int(n), left) }
	// part returns the bits of x in mask, shifted into place.
	part := func(x *logic.Term, mask, shift uint64) *logic.Term {
		v := b.ZExt(b.Bin(logic.OpBAnd, x, c(mask)), 32)
		return b.Bin(logic.OpShl, v, b.Const(logic.BV(32), shift))
	}
	or := func(list ...*logic.Term) *logic.Term {
		r := list[0]
		for _, x := range list[1:] {
			r = b.Bin(logic.OpBOr, r, x)
		}
		return r
	}
	cont := func(k int) *logic.Term { return in(by[k], 0x80, 0xbf) }
	two := b.And(has(2), in(by[0], 0xc2, 0xdf), cont(1))
	three := b.And(has(3), cont(2), b.Or(
		b.And(b.Eq(by[0], c(0xe0)), in(by[1], 0xa0, 0xbf)),
		b.And(b.Or(in(by[0], 0xe1, 0xec), in(by[0], 0xee, 0xef)), cont(1)),
		b.And(b.Eq(by[0], c(0xed)), in(by[1], 0x80, 0x9f))))
	four := b.And(has(4), cont(2), cont(3), b.Or(
		b.And(b.Eq(by[0], c(0xf0)), in(by[1], 0x90, 0xbf)),
		b.And(in(by[0], 0xf1, 0xf3), cont(1)),
		b.And(b.Eq(by[0], c(0xf4)), in(by[1], 0x80, 0x8f))))
	ascii := b.Cmp(logic.OpULt, by[0], c(0x80))
	r = b.Const(logic.BV(32), 0xfffd)
	r = b.Ite(four, or(
		part(by[0], 0x07, 18), part(by[1], 0x3f, 12),
		part(by[2], 0x3f, 6), part(by[3], 0x3f, 0)), r)
	r = b.Ite(three, or(part(by[0], 0x0f, 12), part(by[1], 0x3f, 6), part(by[2], 0x3f, 0)), r)
	r = b.Ite(two, or(part(by[0], 0x1f, 6), part(by[1], 0x3f, 0)), r)
	r = b.Ite(ascii, b.ZExt(by[0], 32), r)
	n = b.Ite(three, em.int(3), b.Ite(four, em.int(4), em.int(1)))
	n = b.Ite(ascii, em.int(1), b.Ite(two, em.int(2), n))
	return r, n
}
