package lower

import (
	"go/ast"
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
	return l.convert(l.expr(x), t, x)
}

// convert converts v to type t; x is where it comes from.
func (l *lowerer) convert(v Value, t types.Type, x ast.Expr) Value {
	from, to := v.Type.Underlying(), t.Underlying()
	if types.IsInterface(t) {
		return l.assignable(v, t)
	}
	fb, fromBasic := from.(*types.Basic)
	tb, toBasic := to.(*types.Basic)
	switch {
	case isUnsafePointer(v.Type) != isUnsafePointer(t):
		return l.convertPointer(v, t)
	case fromBasic && toBasic:
		fi, ti := fb.Info(), tb.Info()
		switch {
		case fi&types.IsNumeric != 0 && ti&types.IsNumeric != 0:
			return l.convertNumber(v, t)
		case fi&types.IsInteger != 0 && ti&types.IsString != 0:
			return l.runeString(v, t)
		}
		return Value{t, v.Leaves}
	case fromBasic && fb.Info()&types.IsString != 0:
		return l.stringToSlice(v, t, to.(*types.Slice))
	case toBasic && tb.Info()&types.IsString != 0:
		return l.sliceToString(v, t, from.(*types.Slice))
	}
	if s, ok := from.(*types.Slice); ok {
		switch u := to.(type) {
		case *types.Array:
			at := l.sliceToArray(v, u.Len(), s, x)
			return Value{t, l.loadMem(at.obj, at.slot, t, "").Leaves}
		case *types.Pointer:
			at := l.sliceToArray(v, u.Elem().Underlying().(*types.Array).Len(), s, x)
			return Value{t, []*logic.Term{at.obj, at.slot}}
		}
	}
	if len(l.w.Layout(t)) != len(v.Leaves) {
		panic(unsupportedf("conversion of %s to %s", v.Type, t))
	}
	return Value{t, v.Leaves}
}

// sliceToArray checks the conversion of a slice to an array, or a pointer to one, of n elements.
func (l *lowerer) sliceToArray(v Value, n int64, s *types.Slice, x ast.Expr) location {
	l.assert(l.b.Cmp(logic.OpSLe, l.int(n), v.Leaves[2]), schemas.Conversion, x.Pos(), "the slice is shorter than the array of %d elements", n)
	return memory(v.Leaves[0], v.Leaves[1], types.NewArray(s.Elem(), n))
}

// convertNumber converts between numeric types: integers wrap, floats round.
func (l *lowerer) convertNumber(v Value, t types.Type) Value {
	to := components(t)
	x := v.Leaves[0]
	if len(to) == 2 || len(v.Leaves) == 2 { // complex
		if len(to) != len(v.Leaves) {
			panic(unsupportedf("conversion of %s to %s", v.Type, t))
		}
		out := Value{Type: t}
		for i, c := range to {
			out.Leaves = append(out.Leaves, l.b.FConv(logic.OpFToF, c.sort, v.Leaves[i]))
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
			return one(l.b.Extract(s.Bits-1, 0, x))
		case isSigned(v.Type):
			return one(l.b.SExt(x, s.Bits))
		}
		return one(l.b.ZExt(x, s.Bits))
	case fromInt && isSigned(v.Type):
		return one(l.b.FConv(logic.OpFFromS, s, x))
	case fromInt:
		return one(l.b.FConv(logic.OpFFromU, s, x))
	case toInt && isSigned(t):
		return one(l.b.FConv(logic.OpFToS, s, x))
	case toInt:
		return one(l.b.FConv(logic.OpFToU, s, x))
	case s == x.Sort:
		return one(x)
	}
	return one(l.b.FConv(logic.OpFToF, s, x))
}

// runeString is string(r): one byte below 128; longer encodings are not modelled exactly, but have their length.
func (l *lowerer) runeString(v Value, t types.Type) Value {
	obj := l.newObject()
	m := l.w.StringBytes()
	x := v.Leaves[0]
	zero := l.b.Const(logic.Slot, 0)
	l.assign(m, l.b.Store(l.b.Var(m), obj, zero, l.b.Extract(7, 0, l.b.ZExt(x, max(8, x.Sort.Bits)))))
	lt := func(k uint64) *logic.Term { return l.b.Cmp(logic.OpULt, l.toInt(v), l.int(int64(k))) }
	n := l.b.Ite(lt(0x80), l.int(1), l.b.Ite(lt(0x800), l.int(2), l.b.Ite(lt(0x10000), l.int(3), l.b.Ite(lt(0x110000), l.int(4), l.int(3)))))
	l.bound(lt(0x80), "longer strings and other than ASCII characters are not converted")
	return Value{t, []*logic.Term{obj, zero, l.temp(n)}}
}

// stringToSlice is []byte(s); []rune(s) of strings of ASCII characters.
func (l *lowerer) stringToSlice(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	bits := intBits(elem.Underlying().(*types.Basic))
	obj := l.newObject()
	l.clear(obj, elem)
	m := l.byteMemory(elem)
	zero := l.b.Const(logic.Slot, 0)
	if bits == 8 {
		l.assign(m, l.b.Copy(l.b.Var(m), obj, zero, v.Leaves[2], l.b.Var(l.w.StringBytes()), v.Leaves[0], v.Leaves[1]))
		return Value{t, []*logic.Term{obj, zero, v.Leaves[2], v.Leaves[2]}}
	}
	l.bound(l.b.Cmp(logic.OpSLe, v.Leaves[2], l.int(maxCompare)), "longer strings and other than ASCII characters are not converted")
	for i := range int64(maxCompare) {
		c := l.byteAt(v, l.int(i))
		l.bound(l.b.Or(l.b.Cmp(logic.OpSLe, v.Leaves[2], l.int(i)), l.b.Cmp(logic.OpULt, c, l.b.Const(c.Sort, 0x80))), "longer strings and other than ASCII characters are not converted")
		l.assign(m, l.b.Store(l.b.Var(m), obj, l.int(i), l.b.ZExt(c, bits)))
	}
	return Value{t, []*logic.Term{obj, zero, v.Leaves[2], v.Leaves[2]}}
}

// sliceToString is string(bytes); string(runes) of ASCII characters.
func (l *lowerer) sliceToString(v Value, t types.Type, s *types.Slice) Value {
	elem := s.Elem()
	obj := l.newObject()
	m := l.w.StringBytes()
	zero := l.b.Const(logic.Slot, 0)
	if intBits(elem.Underlying().(*types.Basic)) == 8 {
		l.assign(m, l.b.Copy(l.b.Var(m), obj, zero, v.Leaves[2], l.b.Var(l.byteMemory(elem)), v.Leaves[0], v.Leaves[1]))
		return Value{t, []*logic.Term{obj, zero, v.Leaves[2]}}
	}
	l.bound(l.b.Cmp(logic.OpSLe, v.Leaves[2], l.int(maxCompare)), "longer strings and other than ASCII characters are not converted")
	for i := range int64(maxCompare) {
		r := l.b.Select(l.b.Var(l.byteMemory(elem)), v.Leaves[0], l.b.Add(v.Leaves[1], l.int(i)))
		l.bound(l.b.Or(l.b.Cmp(logic.OpSLe, v.Leaves[2], l.int(i)), l.b.Cmp(logic.OpULt, r, l.b.Const(r.Sort, 0x80))), "longer strings and other than ASCII characters are not converted")
		l.assign(m, l.b.Store(l.b.Var(m), obj, l.int(i), l.b.Extract(7, 0, r)))
	}
	return Value{t, []*logic.Term{obj, zero, v.Leaves[2]}}
}
