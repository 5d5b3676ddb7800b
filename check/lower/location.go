package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// location is a place that holds a value: scalars of a local variable, a part of an object, or an entry of a map.
type location struct {
	typ types.Type
	// Scalars.
	vars []*logic.Var
	// Part of an object; class overrides the memory class of a leaf type.
	obj, slot *logic.Term
	class     string
	// Entry of a map.
	m       *types.Map
	entry   *logic.Term
	keyVal  Value
	pos     token.Pos
	isBlank bool
}

func memory(obj, slot *logic.Term, t types.Type) location {
	return location{typ: t, obj: obj, slot: slot}
}

func (l *lowerer) load(at location) Value {
	switch {
	case at.m != nil:
		v, _ := l.mapLoad(at)
		return v
	case at.obj != nil:
		return l.loadMem(at.obj, at.slot, at.typ, at.class)
	}
	return l.valueOf(at.typ, at.vars)
}

func (l *lowerer) store(at location, v Value) {
	switch {
	case at.isBlank:
	case at.m != nil:
		l.mapStore(at, v)
	case at.obj != nil:
		l.storeMem(at.obj, at.slot, at.typ, at.class, v)
	default:
		for i, x := range at.vars {
			l.assign(x, v.Leaves[i])
		}
	}
}

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
			return location{isBlank: true}
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
		return l.fields(l.base(e.X), s.Index(), place(e.X))

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
		return l.deref(l.expr(x), place(x))
	}
	return l.addr(x)
}

// deref is where a pointer points to; nil panics.
func (l *lowerer) deref(p Value, pos token.Pos) location {
	obj := p.Leaves[0]
	l.notNil(obj, pos, "nil pointer dereference")
	return memory(obj, p.Leaves[1], pointee(p.Type))
}

func (l *lowerer) notNil(x *logic.Term, pos token.Pos, message string) {
	l.emit(&ir.Assert{Cond: l.b.Not(l.b.Eq(x, l.zeroLeaf(x.Sort))), Kind: schemas.NilDeref, Pos: pos, Message: message, Ptr: x})
}

// fields follows a path of fields, through embedded pointers where there are any.
func (l *lowerer) fields(at location, index []int, pos token.Pos) location {
	for _, i := range index {
		if pointee(at.typ) != nil {
			at = l.deref(l.load(at), pos)
		}
		at = l.field(at, i)
	}
	return at
}

// field is the i-th field of a struct.
func (l *lowerer) field(at location, i int) location {
	s, ok := at.typ.Underlying().(*types.Struct)
	if !ok {
		panic(unsupportedf("a field of %s", at.typ))
	}
	f := s.Field(i)
	out := location{typ: f.Type()}
	if at.obj != nil {
		slot := 0
		for j := range i {
			slot += l.w.Slots(s.Field(j).Type())
		}
		out.obj, out.slot = at.obj, l.offset(at.slot, slot)
		if isLeaf(f.Type()) {
			out.class = l.w.fieldClass(at.typ, f)
		}
		return out
	}
	if at.m != nil {
		panic(unsupportedf("a field of a map's entry as a place"))
	}
	from := 0
	for j := range i {
		from += len(l.w.Layout(s.Field(j).Type()))
	}
	out.vars = at.vars[from : from+len(l.w.Layout(f.Type()))]
	return out
}

// addressOf is the pointer to a place.
func (l *lowerer) addressOf(at location, t types.Type) Value {
	if at.obj == nil {
		panic(unsupportedf("the address of a variable that has none"))
	}
	return Value{t, []*logic.Term{at.obj, at.slot}}
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
	if pointee(l.typeOf(e.X)) == nil && !l.hasPlace(e.X) {
		return l.fieldOfValue(l.expr(e.X), s.Index(), place(e.X))
	}
	return l.load(l.fields(l.base(e.X), s.Index(), place(e.X)))
}

// hasPlace says that e denotes a variable rather than a value made on the spot.
func (l *lowerer) hasPlace(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		if l.pkg.Info.Selections[e] == nil {
			return true
		}
		return pointee(l.typeOf(e.X)) != nil || l.hasPlace(e.X)
	case *ast.IndexExpr:
		switch l.typeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return l.hasPlace(e.X)
		}
	}
	return false
}

// fieldOfValue picks a field out of a struct value.
func (l *lowerer) fieldOfValue(v Value, index []int, pos token.Pos) Value {
	for n, i := range index {
		if pointee(v.Type) != nil {
			return l.load(l.fields(l.deref(v, pos), index[n:], pos))
		}
		s := v.Type.Underlying().(*types.Struct)
		from := 0
		for j := range i {
			from += len(l.w.Layout(s.Field(j).Type()))
		}
		t := s.Field(i).Type()
		v = Value{t, v.Leaves[from : from+len(l.w.Layout(t))]}
	}
	return v
}

// element is x[i] as a place.
func (l *lowerer) element(e *ast.IndexExpr) location {
	xt := l.typeOf(e.X)
	switch u := xt.Underlying().(type) {
	case *types.Slice:
		v := l.expr(e.X)
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, v.Leaves[2], e.X, place(e.X))
		return memory(v.Leaves[0], l.at(v.Leaves[1], i, u.Elem()), u.Elem())

	case *types.Array:
		at := l.addr(e.X)
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, l.int(u.Len()), e.X, place(e.X))
		return l.arrayElem(at, i, u)

	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		at := l.deref(l.expr(e.X), place(e.X))
		i := l.toInt(l.expr(e.Index))
		l.checkIndex(i, l.int(a.Len()), e.X, place(e.X))
		return l.arrayElem(at, i, a)

	case *types.Map:
		v := l.expr(e.X)
		key := l.exprTo(e.Index, u.Key())
		return location{typ: u.Elem(), m: u, obj: nil, entry: v.Leaves[0], keyVal: l.snapshot(key), pos: place(e.X)}
	}
	panic(unsupportedf("indexing %s", xt))
}

func (l *lowerer) arrayElem(at location, i *logic.Term, a *types.Array) location {
	if at.obj == nil {
		panic(unsupportedf("an element of an array in registers"))
	}
	return memory(at.obj, l.at(at.slot, i, a.Elem()), a.Elem())
}

// at is the slot of element i.
func (l *lowerer) at(slot, i *logic.Term, elem types.Type) *logic.Term {
	return l.b.Add(slot, l.b.Mul(i, l.int(int64(l.w.Slots(elem)))))
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
		l.checkIndex(i, v.Leaves[2], e.X, place(e.X))
		return Value{t, []*logic.Term{l.b.Select(l.b.Var(l.w.StringBytes()), v.Leaves[0], l.b.Add(v.Leaves[1], i))}}
	case *types.Array:
		if !l.hasPlace(e.X) {
			v := l.expr(e.X)
			at := memory(l.alloc(v.Type), l.b.Const(logic.Slot, 0), v.Type)
			l.store(at, v)
			i := l.toInt(l.expr(e.Index))
			l.checkIndex(i, l.int(u.Len()), e.X, place(e.X))
			return l.load(l.arrayElem(at, i, u))
		}
	}
	return l.load(l.element(e))
}

// place is where the compiler says that an expression is: at the name that it selects, not where it begins, so that the
// links of a chain over several lines are told apart.
func place(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return place(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.CallExpr:
		return place(e.Fun)
	case *ast.IndexExpr:
		return place(e.X)
	case *ast.SliceExpr:
		return place(e.X)
	case *ast.TypeAssertExpr:
		return place(e.X)
	}
	return e.Pos()
}
