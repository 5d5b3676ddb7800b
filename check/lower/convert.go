package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// conversion lowers t(x).
func (l *lowerer) conversion(x ast.Expr, t types.Type) Value {
	if tv := l.pkg.Info.Types[x]; tv.Value != nil {
		if u, ok := t.Underlying().(*types.Basic); ok {
			xt := tv.Type.Underlying().(*types.Basic)
			if u.Info()&types.IsString != 0 && xt.Info()&types.IsInteger != 0 {
				return l.runeString(l.constant(tv.Value, types.Default(xt)), t)
			}
			if u.Kind() == types.UnsafePointer {
				return l.convertPointer(l.constant(tv.Value, types.Typ[types.Uintptr]), t)
			}
			return l.constant(tv.Value, t)
		}
		if types.IsInterface(t) {
			return l.exprTo(x, t)
		}
	}
	if l.isNil(x) {
		return l.zero(t)
	}
	return l.convert(l.expr(x), t, x.Pos())
}

// convert converts v to type t, as T(x) does. The conversion is at pos.
//
//	number to number           convertNumber
//	integer to string          runeString
//	string to []byte, []rune   stringToSlice
//	[]byte, []rune to string   sliceToString
//	slice to array (pointer)   sliceToArray
//	value to interface         toInterface
//	unsafe.Pointer             convertPointer
//	others                     the same scalars
func (em *emitter) convert(v Value, t types.Type, pos token.Pos) Value {
	from, to := v.Type.Underlying(), t.Underlying()
	if types.IsInterface(t) {
		return em.assignable(v, t)
	}
	fb, fromBasic := from.(*types.Basic)
	tb, toBasic := to.(*types.Basic)
	switch {
	case isUnsafePointer(v.Type) != isUnsafePointer(t):
		return em.convertPointer(v, t)
	case fromBasic && toBasic:
		fi, ti := fb.Info(), tb.Info()
		switch {
		case fi&types.IsNumeric != 0 && ti&types.IsNumeric != 0:
			return em.convertNumber(v, t)
		case fi&types.IsInteger != 0 && ti&types.IsString != 0:
			return em.runeString(v, t)
		}
		return Value{t, v.Leaves}
	case fromBasic && fb.Info()&types.IsString != 0:
		return em.stringToSlice(v, t, to.(*types.Slice))
	case toBasic && tb.Info()&types.IsString != 0:
		return em.sliceToString(v, t, from.(*types.Slice))
	}
	if s, ok := from.(*types.Slice); ok {
		switch u := to.(type) {
		case *types.Array:
			at := em.sliceToArray(v, u.Len(), s, pos)
			return Value{t, em.loadMem(at.obj, at.slot, t, "").Leaves}
		case *types.Pointer:
			n := u.Elem().Underlying().(*types.Array).Len()
			at := em.sliceToArray(v, n, s, pos)
			return tuple(t, at.obj, at.slot)
		}
	}
	if len(em.w.Layout(t)) != len(v.Leaves) {
		panic(unsupportedf("conversion of %s to %s", v.Type, t))
	}
	return Value{t, v.Leaves}
}

// sliceToArray returns the first n elements of slice v as an array, and asserts that there are as
// many.
func (em *emitter) sliceToArray(v Value, n int64, s *types.Slice, pos token.Pos) location {
	em.assert(em.b.Cmp(logic.OpSLe, em.int(n), v.Leaves[2]), schemas.Conversion, pos,
		"the slice is shorter than the array of %d elements", n)
	return memory(v.Leaves[0], v.Leaves[1], types.NewArray(s.Elem(), n))
}

// convertNumber converts between numeric types: integers wrap around, and floats are rounded.
func (em *emitter) convertNumber(v Value, t types.Type) Value {
	to := em.w.components(t)
	x := v.Leaves[0]
	if len(to) == 2 || len(v.Leaves) == 2 { // complex
		if len(to) != len(v.Leaves) {
			panic(unsupportedf("conversion of %s to %s", v.Type, t))
		}
		out := Value{Type: t}
		for i, c := range to {
			out.Leaves = append(out.Leaves,
				em.b.FConv(logic.OpFToF, c.sort, v.Leaves[i]))
		}
		return out
	}
	s := to[0].sort
	fromInt, toInt := x.Sort.Kind == logic.KBV, s.Kind == logic.KBV
	switch {
	case fromInt && toInt:
		switch {
		case s.Bits() <= x.Sort.Bits():
			return tuple(t, em.b.Extract(s.Bits()-1, 0, x))
		case isSigned(v.Type):
			return tuple(t, em.b.SExt(x, s.Bits()))
		}
		return tuple(t, em.b.ZExt(x, s.Bits()))
	case fromInt && isSigned(v.Type):
		return tuple(t, em.b.FConv(logic.OpFFromS, s, x))
	case fromInt:
		return tuple(t, em.b.FConv(logic.OpFFromU, s, x))
	case toInt && isSigned(t):
		return tuple(t, em.b.FConv(logic.OpFToS, s, x))
	case toInt:
		return tuple(t, em.b.FConv(logic.OpFToU, s, x))
	case s == x.Sort:
		return tuple(t, x)
	}
	return tuple(t, em.b.FConv(logic.OpFToF, s, x))
}

// runeString returns string(r) for an integer r.
func (em *emitter) runeString(v Value, t types.Type) Value {
	obj := em.newObject()
	n := em.storeRune(obj, em.int(0), em.toInt(v))
	return tuple(t, obj, em.slot0(), em.temp(n))
}

// storeRune stores the encoding of r, a number of 64 bits, in the bytes of a string from slot at on,
// and returns their number. As in Go, what is no rune is encoded as U+FFFD.
func (em *emitter) storeRune(obj, at, r *logic.Term) (n *logic.Term) {
	b := em.b
	below := func(k uint64) *logic.Term { return b.Cmp(logic.OpULt, r, b.Const(logic.Int, k)) }
	valid := b.And(below(0x110000), b.Or(below(0xd800), b.Not(below(0xe000))))
	r = em.temp(b.Ite(valid, r, b.Const(logic.Int, 0xfffd)))
	one, two, three := below(0x80), below(0x800), below(0x10000)
	// part returns six bits of r, or what is above shift, below a mark.
	part := func(mark, shift, mask uint64) *logic.Term {
		x := b.Bin(logic.OpLShr, r, b.Const(logic.Int, shift))
		x = b.Bin(logic.OpBAnd, x, b.Const(logic.Int, mask))
		return b.Bin(logic.OpBOr, x, b.Const(logic.Int, mark))
	}
	rest := func(shift uint64) *logic.Term { return part(0x80, shift, 0x3f) }
	bytes := []*logic.Term{
		b.Ite(one, r, b.Ite(two, part(0xc0, 6, 0x1f), b.Ite(three, part(0xe0, 12, 0x0f),
			part(0xf0, 18, 0x07)))),
		b.Ite(two, rest(0), b.Ite(three, rest(6), rest(12))),
		b.Ite(three, rest(0), rest(6)),
		rest(0),
	}
	m := em.w.StringBytes()
	for i, x := range bytes {
		to := b.Add(at, em.int(int64(i)))
		em.assign(m, b.Store(b.Var(m), obj, to, b.Extract(7, 0, x)))
	}
	return b.Ite(one, em.int(1), b.Ite(two, em.int(2), b.Ite(three, em.int(3), em.int(4))))
}

// stringToSlice returns []byte(v), or []rune(v) for a short string; others are out of bounds.
func (em *emitter) stringToSlice(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	bits := em.w.intBits(elem.Underlying().(*types.Basic))
	obj := em.newObject()
	em.clear(obj, elem)
	m := em.byteMemory(elem)
	zero := em.slot0()
	if bits == 8 {
		text := em.b.Var(em.w.StringBytes())
		old, from, n := em.b.Var(m), v.Leaves, v.Leaves[2]
		em.assign(m, em.b.Copy(old, obj, zero, n, text, from[0], from[1]))
		return tuple(t, obj, zero, v.Leaves[2], v.Leaves[2])
	}
	em.bound(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(maxCompare)), boundConversions)
	// Bytes are read at constant offsets, which is easier for the solver than to follow the widths:
	// starts[i] reports whether a rune begins at byte i, and n counts the runes before it.
	b, n := em.b, em.int(0)
	starts := make([]*logic.Term, maxCompare+4)
	for i := range starts {
		starts[i] = b.Bool(i == 0)
	}
	for i := range maxCompare {
		here := em.temp(b.And(starts[i], b.Cmp(logic.OpSLt, em.int(int64(i)), v.Leaves[2])))
		r, width := em.decodeRune(v, em.int(int64(i)))
		r = b.Ite(here, r, b.Select(b.Var(m), obj, n))
		em.assign(m, b.Store(b.Var(m), obj, n, r))
		for w := 1; w <= 4; w++ {
			next := b.And(here, b.Eq(width, em.int(int64(w))))
			starts[i+w] = b.Or(starts[i+w], next)
		}
		n = em.temp(b.Add(n, b.Ite(here, em.int(1), em.int(0))))
	}
	return tuple(t, obj, zero, n, n)
}

// sliceToString returns string(v) for a slice of bytes, or for a short slice of runes; others are out
// of bounds.
func (em *emitter) sliceToString(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	obj := em.newObject()
	m := em.w.StringBytes()
	zero := em.slot0()
	if em.w.intBits(elem.Underlying().(*types.Basic)) == 8 {
		text, bytes := em.b.Var(m), em.b.Var(em.byteMemory(elem))
		from, n := v.Leaves, v.Leaves[2]
		em.assign(m, em.b.Copy(text, obj, zero, n, bytes, from[0], from[1]))
		return tuple(t, obj, zero, v.Leaves[2])
	}
	em.bound(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(maxCompare)), boundConversions)
	n := em.int(0)
	for i := range int64(maxCompare) {
		r := em.b.Select(em.b.Var(em.byteMemory(elem)), v.Leaves[0],
			em.b.Add(v.Leaves[1], em.int(i)))
		more := em.b.Cmp(logic.OpSLt, em.int(i), v.Leaves[2])
		width := em.storeRune(obj, n, em.b.SExt(r, 64))
		n = em.temp(em.b.Add(n, em.b.Ite(more, width, em.int(0))))
	}
	return tuple(t, obj, zero, n)
}
