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
				panic(unsupportedf("arithmetic on unsafe.Pointer"))
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
	to := components(t)
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
		case s.Bits <= x.Sort.Bits:
			return tuple(t, em.b.Extract(s.Bits-1, 0, x))
		case isSigned(v.Type):
			return tuple(t, em.b.SExt(x, s.Bits))
		}
		return tuple(t, em.b.ZExt(x, s.Bits))
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

// runeString returns string(r) for an integer r. ASCII characters are exact; others are out of
// bounds.
func (em *emitter) runeString(v Value, t types.Type) Value {
	obj := em.newObject()
	m := em.w.StringBytes()
	x := v.Leaves[0]
	zero := em.slot0()
	low := em.b.Extract(7, 0, em.b.ZExt(x, max(8, x.Sort.Bits)))
	em.assign(m, em.b.Store(em.b.Var(m), obj, zero, low))
	lt := func(k uint64) *logic.Term {
		return em.b.Cmp(logic.OpULt, em.toInt(v), em.int(int64(k)))
	}
	n := em.b.Ite(lt(0x10000), em.int(3), em.b.Ite(lt(0x110000), em.int(4), em.int(3)))
	n = em.b.Ite(lt(0x80), em.int(1), em.b.Ite(lt(0x800), em.int(2), n))
	em.bound(lt(0x80), boundConversions)
	return tuple(t, obj, zero, em.temp(n))
}

// stringToSlice returns []byte(v), or []rune(v) for a short string of ASCII characters; others are
// out of bounds.
func (em *emitter) stringToSlice(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	bits := intBits(elem.Underlying().(*types.Basic))
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
	for i := range int64(maxCompare) {
		c := em.byteAt(v, em.int(i))
		past := em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(i))
		ascii := em.b.Cmp(logic.OpULt, c, em.b.Const(c.Sort, 0x80))
		em.bound(em.b.Or(past, ascii), boundConversions)
		em.assign(m, em.b.Store(em.b.Var(m), obj, em.int(i), em.b.ZExt(c, bits)))
	}
	return tuple(t, obj, zero, v.Leaves[2], v.Leaves[2])
}

// sliceToString returns string(v) for a slice of bytes, or for a short slice of ASCII runes; others
// are out of bounds.
func (em *emitter) sliceToString(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	obj := em.newObject()
	m := em.w.StringBytes()
	zero := em.slot0()
	if intBits(elem.Underlying().(*types.Basic)) == 8 {
		text, bytes := em.b.Var(m), em.b.Var(em.byteMemory(elem))
		from, n := v.Leaves, v.Leaves[2]
		em.assign(m, em.b.Copy(text, obj, zero, n, bytes, from[0], from[1]))
		return tuple(t, obj, zero, v.Leaves[2])
	}
	em.bound(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(maxCompare)), boundConversions)
	for i := range int64(maxCompare) {
		r := em.b.Select(em.b.Var(em.byteMemory(elem)), v.Leaves[0],
			em.b.Add(v.Leaves[1], em.int(i)))
		past := em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(i))
		ascii := em.b.Cmp(logic.OpULt, r, em.b.Const(r.Sort, 0x80))
		em.bound(em.b.Or(past, ascii), boundConversions)
		em.assign(m, em.b.Store(em.b.Var(m), obj, em.int(i), em.b.Extract(7, 0, r)))
	}
	return tuple(t, obj, zero, v.Leaves[2])
}
