package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// maxLiteral is the number of elements up to which array and slice literals in functions are
// supported.
const maxLiteral = 300

// compositeLit evaluates a struct, array, slice or map literal of type t:
//
//	struct   the scalars of its fields, zero if left out
//	array    a new object, filled by compositeInto; then its scalars. Likewise a large struct
//	slice    sliceLit
//	map      a new map and one mapStore per element
func (l *lowerer) compositeLit(e *ast.CompositeLit, t types.Type) Value {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return l.sliceLit(e, t, u)
	case *types.Map:
		obj := l.mapMake(u)
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			key := l.snapshot(l.literalElement(kv.Key, u.Key()))
			v := l.snapshot(l.literalElement(kv.Value, u.Elem()))
			at := location{typ: u.Elem(), m: u, mapObj: obj, mapKey: key, pos: kv.Pos()}
			l.mapStore(at, v)
		}
		return tuple(t, obj)
	case *types.Struct:
		if l.w.IsLarge(t) {
			break
		}
		v := l.zero(t)
		l.fieldsOf(e, u, func(k int, x Value) {
			from, _ := l.w.fieldLeaves(u, k)
			copy(v.Leaves[from:], x.Leaves)
		})
		return v
	}
	at := memory(l.alloc(t), l.slot0(), t)
	l.compositeInto(e, at)
	return l.load(at)
}

// fieldsOf evaluates the fields of a struct literal, in order, and calls visit with the index and the
// value of each.
func (l *lowerer) fieldsOf(e *ast.CompositeLit, s *types.Struct, visit func(k int, x Value)) {
	for i, el := range e.Elts {
		k := i
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			k = fieldIndex(s, kv.Key.(*ast.Ident).Name)
			el = kv.Value
		}
		visit(k, l.snapshot(l.literalElement(el, s.Field(k).Type())))
	}
}

// fieldIndex returns the index of a field of s, which must have it.
func fieldIndex(s *types.Struct, name string) int {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return i
		}
	}
	panic("lower: no field " + name)
}

// literalElement evaluates an element of type t of a literal. An inner literal may leave out its
// type, and then also & before it.
func (l *lowerer) literalElement(e ast.Expr, t types.Type) Value {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		if elem := pointee(t); elem != nil {
			obj := l.alloc(elem)
			l.compositeInto(lit, memory(obj, l.slot0(), elem))
			return tuple(t, obj, l.slot0())
		}
		return l.compositeLit(lit, t)
	}
	return l.exprTo(e, t)
}

// compositeInto stores a literal in a location that holds zero.
func (l *lowerer) compositeInto(e *ast.CompositeLit, at location) {
	a, ok := at.typ.Underlying().(*types.Array)
	if s, isStruct := at.typ.Underlying().(*types.Struct); isStruct && l.w.IsLarge(at.typ) {
		l.fieldsOf(e, s, func(k int, x Value) { l.store(l.field(at, k), x) })
		return
	}
	if !ok {
		l.store(at, l.compositeLit(e, at.typ))
		return
	}
	l.elements(e, func(i int64, el ast.Expr) {
		place := memory(at.obj, l.elemSlot(at.slot, l.int(i), a.Elem()), a.Elem())
		l.store(place, l.snapshot(l.literalElement(el, a.Elem())))
	})
}

// sliceLit evaluates a slice literal: a new object that holds the elements.
func (l *lowerer) sliceLit(e *ast.CompositeLit, t types.Type, u *types.Slice) Value {
	obj := l.newObjectOf(t)
	l.clear(obj, u.Elem())
	n := l.elements(e, func(i int64, el ast.Expr) {
		v := l.snapshot(l.literalElement(el, u.Elem()))
		l.storeMem(obj, l.elemSlot(l.slot0(), l.int(i), u.Elem()), u.Elem(), "", v)
	})
	return tuple(t, obj, l.slot0(), l.int(n), l.int(n))
}

// elements calls visit for each element of an array or slice literal, in order, and returns the
// length.
func (l *lowerer) elements(e *ast.CompositeLit, visit func(i int64, e ast.Expr)) int64 {
	if len(e.Elts) > maxLiteral {
		panic(unsupportedf("a literal of %d elements", len(e.Elts)))
	}
	var i, n int64
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			i, _ = constant.Int64Val(constant.ToInt(l.pkg.Info.Types[kv.Key].Value))
			el = kv.Value
		}
		visit(i, el)
		i++
		n = max(n, i)
	}
	return n
}
