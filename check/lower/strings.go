package lower

import (
	"go/types"

	"dsd/check/logic"
)

// maxCompare is how many bytes of two strings of unknown contents are compared; executions that would compare longer
// ones are left out (they are small inputs' business).
const maxCompare = 8

// byteAt is byte i of a string, which must be in range.
func (em *emitter) byteAt(s Value, i *logic.Term) *logic.Term {
	return em.b.Select(em.b.Var(em.w.StringBytes()), s.Leaves[0], em.b.Add(s.Leaves[1], i))
}

// literalLen returns the length of a string if it is known.
func literalLen(s Value) (uint64, bool) { return s.Leaves[2].Const() }

// stringEqual is == on strings: equal lengths and equal bytes.
func (em *emitter) stringEqual(x, y Value) *logic.Term {
	sameLen := em.b.Eq(x.Leaves[2], y.Leaves[2])
	if sameLen.IsFalse() {
		return sameLen
	}
	n, known := literalLen(x)
	if !known {
		n, known = literalLen(y)
	}
	if known && n <= 64 {
		parts := []*logic.Term{sameLen}
		for i := range n {
			parts = append(parts, em.b.Eq(em.byteAt(x, em.int(int64(i))), em.byteAt(y, em.int(int64(i)))))
		}
		return em.b.And(parts...)
	}
	same := em.b.And(em.b.Eq(x.Leaves[0], y.Leaves[0]), em.b.Eq(x.Leaves[1], y.Leaves[1]))
	parts := []*logic.Term{}
	for i := range int64(maxCompare) {
		parts = append(parts, em.b.Or(em.b.Cmp(logic.OpSLe, x.Leaves[2], em.int(i)), em.b.Eq(em.byteAt(x, em.int(i)), em.byteAt(y, em.int(i)))))
	}
	em.bound(em.b.Or(same, em.b.Cmp(logic.OpSLe, x.Leaves[2], em.int(maxCompare)), em.b.Cmp(logic.OpSLe, y.Leaves[2], em.int(maxCompare))), "longer strings are not compared")
	return em.b.And(sameLen, em.b.Or(same, em.b.And(parts...)))
}

// stringLess is < (or <=) on strings: at the first difference, or one is a prefix of the other.
func (em *emitter) stringLess(x, y Value, strict bool) *logic.Term {
	nx, ny := x.Leaves[2], y.Leaves[2]
	em.bound(em.b.Or(em.b.Cmp(logic.OpSLe, nx, em.int(maxCompare)), em.b.Cmp(logic.OpSLe, ny, em.int(maxCompare))), "longer strings are not compared")
	// From the back: less(i) = i at the end of y: false; at the end of x: true; else by byte i, or less(i+1).
	r := em.b.Bool(!strict)
	for i := int64(maxCompare); i >= 0; i-- {
		endX, endY := em.b.Cmp(logic.OpSLe, nx, em.int(i)), em.b.Cmp(logic.OpSLe, ny, em.int(i))
		bx, by := em.byteAt(x, em.int(i)), em.byteAt(y, em.int(i))
		inside := em.b.Or(em.b.Cmp(logic.OpULt, bx, by), em.b.And(em.b.Eq(bx, by), r))
		r = em.b.Ite(em.b.And(endX, endY), em.b.Bool(!strict), em.b.Ite(endX, em.b.True(), em.b.Ite(endY, em.b.False(), inside)))
	}
	return r
}

// concat is x + y: a new object with the bytes of both.
func (em *emitter) concat(x, y Value) Value {
	obj := em.newObject()
	m := em.w.StringBytes()
	zero := em.b.Const(logic.Slot, 0)
	em.assign(m, em.b.Copy(em.b.Var(m), obj, zero, x.Leaves[2], em.b.Var(m), x.Leaves[0], x.Leaves[1]))
	em.assign(m, em.b.Copy(em.b.Var(m), obj, x.Leaves[2], y.Leaves[2], em.b.Var(m), y.Leaves[0], y.Leaves[1]))
	return Value{x.Type, []*logic.Term{obj, zero, em.temp(em.b.Add(x.Leaves[2], y.Leaves[2]))}}
}

// byteMemory is the memory of the elements of a slice of bytes.
func (em *emitter) byteMemory(elem types.Type) *logic.Var {
	return em.w.Memories(em.w.typeKey(elem), elem)[0]
}

// decodeRune is the rune at byte i of s and its width, as utf8.DecodeRuneInString has it.
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
	// part is the low bits of a byte, moved into place.
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
	r = b.Ite(four, or(part(by[0], 0x07, 18), part(by[1], 0x3f, 12), part(by[2], 0x3f, 6), part(by[3], 0x3f, 0)), r)
	r = b.Ite(three, or(part(by[0], 0x0f, 12), part(by[1], 0x3f, 6), part(by[2], 0x3f, 0)), r)
	r = b.Ite(two, or(part(by[0], 0x1f, 6), part(by[1], 0x3f, 0)), r)
	r = b.Ite(ascii, b.ZExt(by[0], 32), r)
	n = b.Ite(ascii, em.int(1), b.Ite(two, em.int(2), b.Ite(three, em.int(3), b.Ite(four, em.int(4), em.int(1)))))
	return r, n
}
