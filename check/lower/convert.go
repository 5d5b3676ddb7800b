package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// conversion is T(x).
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

// convert converts v to type t; the conversion is at pos.
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
			at := em.sliceToArray(v, u.Elem().Underlying().(*types.Array).Len(), s, pos)
			return Value{t, []*logic.Term{at.obj, at.slot}}
		}
	}
	if len(em.w.Layout(t)) != len(v.Leaves) {
		panic(unsupportedf("conversion of %s to %s", v.Type, t))
	}
	return Value{t, v.Leaves}
}

// sliceToArray checks the conversion of a slice to an array, or a pointer to one, of n elements.
func (em *emitter) sliceToArray(v Value, n int64, s *types.Slice, pos token.Pos) location {
	em.assert(em.b.Cmp(logic.OpSLe, em.int(n), v.Leaves[2]), schemas.Conversion, pos, "the slice is shorter than the array of %d elements", n)
	return memory(v.Leaves[0], v.Leaves[1], types.NewArray(s.Elem(), n))
}

// convertNumber converts between numeric types: integers wrap, floats round.
func (em *emitter) convertNumber(v Value, t types.Type) Value {
	to := components(t)
	x := v.Leaves[0]
	if len(to) == 2 || len(v.Leaves) == 2 { // complex
		if len(to) != len(v.Leaves) {
			panic(unsupportedf("conversion of %s to %s", v.Type, t))
		}
		out := Value{Type: t}
		for i, c := range to {
			out.Leaves = append(out.Leaves, em.b.FConv(logic.OpFToF, c.sort, v.Leaves[i]))
		}
		return out
	}
	s := to[0].sort
	one := func(r *logic.Term) Value { return Value{t, []*logic.Term{r}} }
	fromInt, toInt := x.Sort.Kind == logic.KBV, s.Kind == logic.KBV
	switch {
	case fromInt && toInt:
		switch {
		case s.Bits <= x.Sort.Bits:
			return one(em.b.Extract(s.Bits-1, 0, x))
		case isSigned(v.Type):
			return one(em.b.SExt(x, s.Bits))
		}
		return one(em.b.ZExt(x, s.Bits))
	case fromInt && isSigned(v.Type):
		return one(em.b.FConv(logic.OpFFromS, s, x))
	case fromInt:
		return one(em.b.FConv(logic.OpFFromU, s, x))
	case toInt && isSigned(t):
		return one(em.b.FConv(logic.OpFToS, s, x))
	case toInt:
		return one(em.b.FConv(logic.OpFToU, s, x))
	case s == x.Sort:
		return one(x)
	}
	return one(em.b.FConv(logic.OpFToF, s, x))
}

// runeString is string(r): one byte below 128; longer encodings are not modeledName exactly, but have their length.
func (em *emitter) runeString(v Value, t types.Type) Value {
	obj := em.newObject()
	m := em.w.StringBytes()
	x := v.Leaves[0]
	zero := em.b.Const(logic.Slot, 0)
	em.assign(m, em.b.Store(em.b.Var(m), obj, zero, em.b.Extract(7, 0, em.b.ZExt(x, max(8, x.Sort.Bits)))))
	lt := func(k uint64) *logic.Term { return em.b.Cmp(logic.OpULt, em.toInt(v), em.int(int64(k))) }
	n := em.b.Ite(lt(0x80), em.int(1), em.b.Ite(lt(0x800), em.int(2), em.b.Ite(lt(0x10000), em.int(3), em.b.Ite(lt(0x110000), em.int(4), em.int(3)))))
	em.bound(lt(0x80), "longer strings and other than ASCII characters are not converted")
	return Value{t, []*logic.Term{obj, zero, em.temp(n)}}
}

// stringToSlice is []byte(s); []rune(s) of strings of ASCII characters.
func (em *emitter) stringToSlice(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	bits := intBits(elem.Underlying().(*types.Basic))
	obj := em.newObject()
	em.clear(obj, elem)
	m := em.byteMemory(elem)
	zero := em.b.Const(logic.Slot, 0)
	if bits == 8 {
		em.assign(m, em.b.Copy(em.b.Var(m), obj, zero, v.Leaves[2], em.b.Var(em.w.StringBytes()), v.Leaves[0], v.Leaves[1]))
		return Value{t, []*logic.Term{obj, zero, v.Leaves[2], v.Leaves[2]}}
	}
	em.bound(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(maxCompare)), "longer strings and other than ASCII characters are not converted")
	for i := range int64(maxCompare) {
		c := em.byteAt(v, em.int(i))
		em.bound(em.b.Or(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(i)), em.b.Cmp(logic.OpULt, c, em.b.Const(c.Sort, 0x80))), "longer strings and other than ASCII characters are not converted")
		em.assign(m, em.b.Store(em.b.Var(m), obj, em.int(i), em.b.ZExt(c, bits)))
	}
	return Value{t, []*logic.Term{obj, zero, v.Leaves[2], v.Leaves[2]}}
}

// sliceToString is string(bytes); string(runes) of ASCII characters.
func (em *emitter) sliceToString(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	obj := em.newObject()
	m := em.w.StringBytes()
	zero := em.b.Const(logic.Slot, 0)
	if intBits(elem.Underlying().(*types.Basic)) == 8 {
		em.assign(m, em.b.Copy(em.b.Var(m), obj, zero, v.Leaves[2], em.b.Var(em.byteMemory(elem)), v.Leaves[0], v.Leaves[1]))
		return Value{t, []*logic.Term{obj, zero, v.Leaves[2]}}
	}
	em.bound(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(maxCompare)), "longer strings and other than ASCII characters are not converted")
	for i := range int64(maxCompare) {
		r := em.b.Select(em.b.Var(em.byteMemory(elem)), v.Leaves[0], em.b.Add(v.Leaves[1], em.int(i)))
		em.bound(em.b.Or(em.b.Cmp(logic.OpSLe, v.Leaves[2], em.int(i)), em.b.Cmp(logic.OpULt, r, em.b.Const(r.Sort, 0x80))), "longer strings and other than ASCII characters are not converted")
		em.assign(m, em.b.Store(em.b.Var(m), obj, em.int(i), em.b.Extract(7, 0, r)))
	}
	return Value{t, []*logic.Term{obj, zero, v.Leaves[2]}}
}
