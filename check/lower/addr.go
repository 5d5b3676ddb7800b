package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// varLocation is where a variable lives: a local one, or a package-level one.
func (l *lowerer) varLocation(o *types.Var) location {
	if v := l.locals[o]; v != nil {
		if v.boxed {
			return memory(v.obj, l.b.Const(logic.Slot, 0), v.typ)
		}
		return location{typ: v.typ, vars: v.vars}
	}
	if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
		obj := l.b.Const(logic.Obj, uint64(l.w.Global(o)))
		at := memory(obj, l.b.Const(logic.Slot, 0), l.typ(o.Type()))
		return at
	}
	panic(unsupportedf("the variable %s, which is declared elsewhere", o.Name()))
}

// addr evaluates an expression that can be assigned to or has an address.
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
		at := memory(l.alloc(t), l.b.Const(logic.Slot, 0), t)
		l.compositeInto(e, at)
		return at
	}
	// A value that has no place gets one: f().x, m[k].x.
	v := l.expr(e)
	at := memory(l.alloc(v.Type), l.b.Const(logic.Slot, 0), v.Type)
	l.store(at, v)
	return at
}

// base is where the fields of x are: behind the pointer x, or in the variable x.
func (l *lowerer) base(x ast.Expr) location {
	if pointee(l.typeOf(x)) != nil {
		return l.deref(l.expr(x), compilerPos(x))
	}
	return l.addr(x)
}

// selector is x.f, a method value, or pkg.Name.
func (l *lowerer) selector(e *ast.SelectorExpr, t types.Type) Value {
	s := l.pkg.Info.Selections[e]
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
		return l.methodValue(e, s, t)
	case types.MethodExpr:
		return l.methodExpr(e, s, t)
	}
	if pointee(l.typeOf(e.X)) == nil && !l.isVariable(e.X) {
		return l.fieldOfValue(l.expr(e.X), s.Index(), compilerPos(e.X))
	}
	return l.load(l.fields(l.base(e.X), s.Index(), compilerPos(e.X)))
}

// element is x[i] as a place.
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
		return location{typ: u.Elem(), m: u, obj: nil, mapObj: v.Leaves[0], mapKey: l.snapshot(key), pos: compilerPos(e.X)}
	}
	panic(unsupportedf("indexing %s", xt))
}

// index is x[i] as a value, or the instance of a generic function.
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
		return Value{t, []*logic.Term{l.b.Select(l.b.Var(l.w.StringBytes()), v.Leaves[0], l.b.Add(v.Leaves[1], i))}}
	case *types.Array:
		if !l.isVariable(e.X) {
			v := l.expr(e.X)
			at := memory(l.alloc(v.Type), l.b.Const(logic.Slot, 0), v.Type)
			l.store(at, v)
			i := l.toInt(l.expr(e.Index))
			l.checkIndex(i, l.int(u.Len()), e.X)
			return l.load(l.arrayElem(at, i, u))
		}
	}
	return l.load(l.element(e))
}

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
	l.assert(ok, schemas.SliceBounds, compilerPos(e.X), "slice bounds of %s are out of range", types.ExprString(e.X))
	n := l.b.Sub(hi, lo)
	at := l.b.Add(slot, l.b.Mul(lo, l.int(size)))
	if isString {
		return Value{t, []*logic.Term{obj, at, n}}
	}
	return Value{t, []*logic.Term{obj, at, n, l.b.Sub(max, lo)}}
}

// place is where the compiler says that an expression is: at the name that it selects, not where it begins, so that the
// links of a chain over several lines are told apart.
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
	l.assert(l.b.Cmp(logic.OpULt, i, n), schemas.Index, compilerPos(x), "the index into %s is out of range", types.ExprString(x))
}
