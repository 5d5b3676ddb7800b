package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// varLocation returns the location of a local or package-level variable.
func (l *lowerer) varLocation(o *types.Var) location {
	if v := l.locals[o]; v != nil {
		if v.boxed {
			return memory(v.obj, l.slot0(), v.typ)
		}
		return location{typ: v.typ, vars: v.vars}
	}
	if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
		obj := l.b.Const(logic.Obj, uint64(l.w.Global(o)))
		at := memory(obj, l.slot0(), l.typ(o.Type()))
		return at
	}
	panic(unsupportedf("the variable %s, which is declared elsewhere", o.Name()))
}

// addr evaluates the operands of an expression and returns its location. An expression that has
// none, such as f() in f().x, gets one: a new object that holds its value.
func (l *lowerer) addr(e ast.Expr) location {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.addr(e.X)

	case *ast.Ident:
		if e.Name == "_" {
			return location{blank: true}
		}
		o, ok := l.pkg.Info.ObjectOf(e).(*types.Var)
		if !ok {
			panic(unsupportedf("assignment to %s", e.Name))
		}
		return l.varLocation(o)

	case *ast.SelectorExpr:
		s := l.pkg.Info.Selections[e]
		if name, ok := l.cName(e); ok {
			return l.cVariable(e, name)
		}
		if s == nil { // pkg.Var
			return l.varLocation(l.pkg.Info.Uses[e.Sel].(*types.Var))
		}
		return l.fields(l.base(e.X), s.Index(), compilerPos(e.X))

	case *ast.IndexExpr:
		return l.element(e)

	case *ast.StarExpr:
		return l.deref(l.expr(e.X), e.Pos())

	case *ast.CompositeLit:
		t := l.typeOf(e)
		at := memory(l.alloc(t), l.slot0(), t)
		l.compositeInto(e, at)
		return at
	}
	v := l.expr(e)
	at := memory(l.alloc(v.Type), l.slot0(), v.Type)
	l.store(at, v)
	return at
}

// base returns the location of the struct whose fields x.f denotes: *x for a pointer x, otherwise
// x.
func (l *lowerer) base(x ast.Expr) location {
	if pointee(l.typeOf(x)) != nil {
		return l.deref(l.expr(x), compilerPos(x))
	}
	return l.addr(x)
}

// selector evaluates x.f of type t: a field, a method value, a method expression or pkg.Name.
func (l *lowerer) selector(e *ast.SelectorExpr, t types.Type) Value {
	s := l.pkg.Info.Selections[e]
	if name, ok := l.cName(e); ok {
		if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
			return l.load(l.cVariable(e, name))
		}
	}
	if s == nil {
		switch o := l.pkg.Info.Uses[e.Sel].(type) {
		case *types.Var:
			return l.load(l.varLocation(o))
		case *types.Func:
			return l.funcValue(e, t)
		}
		panic(unsupportedf("%s", types.ExprString(e)))
	}
	switch s.Kind() {
	case types.MethodVal:
		return l.methodValue(e, t)
	case types.MethodExpr:
		return l.methodExpr(e, t)
	}
	if pointee(l.typeOf(e.X)) == nil && !l.isVariable(e.X) {
		return l.fieldOfValue(l.expr(e.X), s.Index(), compilerPos(e.X))
	}
	return l.load(l.fields(l.base(e.X), s.Index(), compilerPos(e.X)))
}

// element returns the location of x[i] and, unless x is a map, asserts that i is in range.
func (l *lowerer) element(e *ast.IndexExpr) location {
	xt := l.typeOf(e.X)
	switch u := xt.Underlying().(type) {
	case *types.Slice:
		v := l.expr(e.X)
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, v.Leaves[2], e.X)
		return memory(v.Leaves[0], l.elemSlot(v.Leaves[1], i, u.Elem()), u.Elem())

	case *types.Array:
		at := l.addr(e.X)
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, l.int(u.Len()), e.X)
		return l.arrayElem(at, i, u)

	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		at := l.deref(l.expr(e.X), compilerPos(e.X))
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, l.int(a.Len()), e.X)
		return l.arrayElem(at, i, a)

	case *types.Map:
		v := l.expr(e.X)
		key := l.exprTo(e.Index, u.Key())
		return location{
			typ: u.Elem(), m: u, mapObj: v.Leaves[0], mapKey: l.snapshot(key),
			pos: compilerPos(e.X),
		}
	}
	panic(unsupportedf("indexing %s", xt))
}

// index evaluates x[i] of type t, where x may also be a string or a generic function.
func (l *lowerer) index(e *ast.IndexExpr, t types.Type) Value {
	if tv := l.pkg.Info.Types[e.Index]; tv.IsType() {
		return l.funcValue(e, t)
	}
	xt := l.typeOf(e.X)
	switch u := xt.Underlying().(type) {
	case *types.Basic:
		v := l.expr(e.X)
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, v.Leaves[2], e.X)
		return tuple(t, l.byteAt(v, i))
	case *types.Array:
		if !l.isVariable(e.X) {
			v := l.expr(e.X)
			at := memory(l.alloc(v.Type), l.slot0(), v.Type)
			l.store(at, v)
			i := l.toInt(l.expr(e.Index))
			l.checkIndex(i, l.int(u.Len()), e.X)
			return l.load(l.arrayElem(at, i, u))
		}
	}
	return l.load(l.element(e))
}

// slice evaluates x[lo:hi:max] of type t:
//
//	assert 0 <= lo <= hi <= max <= cap(x)
//	object of x, slot of x + lo * slots of an element, hi - lo, max - lo
func (l *lowerer) slice(e *ast.SliceExpr, t types.Type) Value {
	xt := l.typeOf(e.X)
	var obj, slot, length, capacity *logic.Term
	size := int64(1)
	isString := false
	switch u := xt.Underlying().(type) {
	case *types.Basic:
		v := l.expr(e.X)
		isString = true
		obj, slot, length, capacity = v.Leaves[0], v.Leaves[1], v.Leaves[2], v.Leaves[2]
	case *types.Slice:
		v := l.expr(e.X)
		obj, slot, length, capacity = v.Leaves[0], v.Leaves[1], v.Leaves[2], v.Leaves[3]
		size = int64(l.w.Slots(u.Elem()))
	case *types.Array:
		at := l.addr(e.X)
		obj, slot = at.obj, at.slot
		length, capacity = l.int(u.Len()), l.int(u.Len())
		size = int64(l.w.Slots(u.Elem()))
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		at := l.deref(l.expr(e.X), compilerPos(e.X))
		obj, slot = at.obj, at.slot
		length, capacity = l.int(a.Len()), l.int(a.Len())
		size = int64(l.w.Slots(a.Elem()))
	default:
		panic(unsupportedf("slicing %s", xt))
	}
	bound := func(e ast.Expr, def *logic.Term) *logic.Term {
		if e == nil {
			return def
		}
		return l.toInt(l.expr(e))
	}
	lo := bound(e.Low, l.int(0))
	hi := bound(e.High, length)
	max := bound(e.Max, capacity)
	ule := func(a, b *logic.Term) *logic.Term { return l.b.Cmp(logic.OpULe, a, b) }
	ok := l.b.And(ule(lo, hi), ule(hi, max), ule(max, capacity))
	l.assert(ok, schemas.SliceBounds, compilerPos(e.X),
		"slice bounds of %s are out of range", types.ExprString(e.X))
	n := l.b.Sub(hi, lo)
	at := l.b.Add(slot, l.b.Mul(lo, l.int(size)))
	if isString {
		return tuple(t, obj, at, n)
	}
	return tuple(t, obj, at, n, l.b.Sub(max, lo))
}

// compilerPos returns the position of an expression in stack traces: that of the name it selects,
// not that of its beginning. The links of a chain of calls over several lines differ in it.
func compilerPos(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return compilerPos(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.CallExpr:
		return compilerPos(e.Fun)
	case *ast.IndexExpr:
		return compilerPos(e.X)
	case *ast.SliceExpr:
		return compilerPos(e.X)
	case *ast.TypeAssertExpr:
		return compilerPos(e.X)
	}
	return e.Pos()
}

// checkIndex asserts 0 <= i < n, where i is an index into x.
func (l *lowerer) checkIndex(i, n *logic.Term, x ast.Expr) {
	l.assert(l.b.Cmp(logic.OpULt, i, n), schemas.Index, compilerPos(x),
		"the index into %s is out of range", types.ExprString(x))
}
