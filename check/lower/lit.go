package lower

import (
	"go/ast"
	"go/constant"
	"go/types"

	"dsd/check/logic"
)

// compositeLit is a struct, array, slice or map literal.
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
			l.mapStore(location{typ: u.Elem(), m: u, mapObj: obj, mapKey: key, pos: kv.Pos()}, v)
		}
		return Value{t, []*logic.Term{obj}}
	case *types.Struct:
		v := l.zero(t)
		at := 0
		offsets := make([]int, u.NumFields())
		for i := range offsets {
			offsets[i] = at
			at += len(l.w.Layout(u.Field(i).Type()))
		}
		for i, el := range e.Elts {
			k := i
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				k = fieldIndex(u, kv.Key.(*ast.Ident).Name)
				el = kv.Value
			}
			x := l.snapshot(l.literalElement(el, u.Field(k).Type()))
			copy(v.Leaves[offsets[k]:], x.Leaves)
		}
		return v
	}
	at := memory(l.alloc(t), l.b.Const(logic.Slot, 0), t)
	l.compositeInto(e, at)
	return l.load(at)
}

func fieldIndex(s *types.Struct, name string) int {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return i
		}
	}
	panic("lower: no field " + name)
}

// literalElement is an element of a literal, where the types of inner literals may be left out.
func (l *lowerer) literalElement(e ast.Expr, t types.Type) Value {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		if elem := pointee(t); elem != nil {
			obj := l.alloc(elem)
			l.compositeInto(lit, memory(obj, l.b.Const(logic.Slot, 0), elem))
			return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0)}}
		}
		return l.compositeLit(lit, t)
	}
	return l.exprTo(e, t)
}

// compositeInto builds a literal in a zeroed place.
func (l *lowerer) compositeInto(e *ast.CompositeLit, at location) {
	a, ok := at.typ.Underlying().(*types.Array)
	if !ok {
		l.store(at, l.compositeLit(e, at.typ))
		return
	}
	l.elements(e, a.Elem(), func(i int64, el ast.Expr) {
		place := memory(at.obj, l.elemSlot(at.slot, l.int(i), a.Elem()), a.Elem())
		l.store(place, l.snapshot(l.literalElement(el, a.Elem())))
	})
}

func (l *lowerer) sliceLit(e *ast.CompositeLit, t types.Type, u *types.Slice) Value {
	obj := l.newObject()
	l.clear(obj, u.Elem())
	n := l.elements(e, u.Elem(), func(i int64, el ast.Expr) {
		v := l.snapshot(l.literalElement(el, u.Elem()))
		l.storeMem(obj, l.elemSlot(l.b.Const(logic.Slot, 0), l.int(i), u.Elem()), u.Elem(), "", v)
	})
	return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0), l.int(n), l.int(n)}}
}

// elements visits the elements of an array or slice literal and returns the length.
func (l *lowerer) elements(e *ast.CompositeLit, elem types.Type, visit func(i int64, e ast.Expr)) int64 {
	if len(e.Elts) > 300 {
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
