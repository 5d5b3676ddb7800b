package lower

import (
	"go/ast"
	"go/types"
	"math"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// builtin evaluates the operands of a call of a builtin function, and returns a function that emits
// the call, as prepare does. Calls that cannot be deferred are emitted at once.
func (l *lowerer) builtin(e *ast.CallExpr, name string, later bool) func() []Value {
	now := func(v ...Value) func() []Value { return func() []Value { return v } }
	rt := l.pkg.Info.TypeOf(e)
	var t types.Type
	if rt != nil {
		t = l.typ(rt)
	}
	e = l.spread(e)
	switch name {
	case "len", "cap":
		return now(l.lenCap(e.Args[0], name))
	case "append":
		return now(l.appendCall(e, t))
	case "copy":
		return now(l.copyCall(e))
	case "make":
		return now(l.makeCall(e, t))
	case "new":
		elem := pointee(t)
		if l.pkg.Info.Types[e.Args[0]].IsType() {
			return now(tuple(t, l.alloc(elem), l.slot0()))
		}
		v := l.snapshot(l.exprTo(e.Args[0], elem))
		obj := l.alloc(elem)
		l.storeMem(obj, l.slot0(), elem, "", v)
		return now(tuple(t, obj, l.slot0()))
	case "delete":
		m := l.typeOf(e.Args[0]).Underlying().(*types.Map)
		x := l.snapshot(l.expr(e.Args[0]))
		k := l.snapshot(l.exprTo(e.Args[1], m.Key()))
		return func() []Value { l.mapDelete(x.Leaves[0], m, k, e.Pos()); return nil }
	case "clear":
		x := l.snapshot(l.expr(e.Args[0]))
		return func() []Value { l.clearCall(x); return nil }
	case "min", "max":
		return now(l.minMax(e, name, t))
	case "panic":
		x := l.snapshot(l.exprTo(e.Args[0], anyType))
		x = l.snapshot(l.choose(l.isZero(x), l.nilPanic(), x))
		return func() []Value {
			l.emit(&ir.Assert{
				Cond: l.b.False(), Kind: schemas.ExplicitPanic, Pos: e.Pos(),
				Message: "panic is called", Value: x.Leaves,
			})
			l.stop()
			return nil
		}
	case "print", "println":
		for _, a := range e.Args {
			l.expr(a)
		}
		return now()
	case "recover":
		if later { // recover that is deferred itself recovers nothing
			return now(l.zero(anyType))
		}
		return now(l.recoverCall())
	case "close":
		ch := l.snapshot(l.expr(e.Args[0]))
		return func() []Value { l.closeCall(ch.Leaves[0], e.Pos()); return nil }
	case "real", "imag":
		x := l.expr(e.Args[0])
		i := 0
		if name == "imag" {
			i = 1
		}
		return now(Value{t, x.Leaves[i : i+1]})
	case "complex":
		ft := types.Typ[types.Float64]
		if t.Underlying().(*types.Basic).Kind() == types.Complex64 {
			ft = types.Typ[types.Float32]
		}
		re, im := l.exprTo(e.Args[0], ft), l.exprTo(e.Args[1], ft)
		return now(tuple(t, re.Leaves[0], im.Leaves[0]))
	}
	return now(l.unsafeCall(e, name, t))
}

// spread returns a call f(g()) of a builtin function, where g has several results, as a call with an
// argument for each of these, after it has made the call of g.
func (l *lowerer) spread(e *ast.CallExpr) *ast.CallExpr {
	if len(e.Args) != 1 {
		return e
	}
	c, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
	if !ok {
		return e
	}
	if t, ok := l.typeOf(c).(*types.Tuple); !ok || t.Len() < 2 {
		return e
	}
	out := *e
	out.Args = nil
	for _, v := range l.call(c) {
		arg := &ast.Ident{NamePos: c.Pos(), Name: "result"}
		l.given[arg] = l.snapshot(v)
		out.Args = append(out.Args, arg)
	}
	return &out
}

// nilPanic returns the value of panic(nil): a *runtime.PanicNilError if the testee can name it, and
// otherwise one of the runtime's errors.
func (l *lowerer) nilPanic() Value {
	tag := uint64(logic.TagRuntimeError)
	for _, p := range l.pkg.Types.Imports() {
		if p.Path() == "runtime" {
			if t, ok := p.Scope().Lookup("PanicNilError").(*types.TypeName); ok {
				tag = uint64(l.w.Tag(types.NewPointer(t.Type())))
			}
		}
	}
	return tuple(anyType, l.b.Const(logic.BV(32), tag), l.newObject(), l.slot0())
}

// lenCap evaluates len(x) or cap(x).
func (l *lowerer) lenCap(x ast.Expr, name string) Value {
	xt := l.typeOf(x)
	switch u := xt.Underlying().(type) {
	case *types.Basic:
		return l.intValue(l.expr(x).Leaves[2])
	case *types.Slice:
		if name == "cap" {
			return l.intValue(l.expr(x).Leaves[3])
		}
		return l.intValue(l.expr(x).Leaves[2])
	case *types.Array: // it is not constant if x has a call or receives
		l.expr(x)
		return l.intValue(l.int(u.Len()))
	case *types.Pointer:
		l.expr(x)
		return l.intValue(l.int(u.Elem().Underlying().(*types.Array).Len()))
	case *types.Map:
		return l.intValue(l.mapLen(l.expr(x).Leaves[0]))
	case *types.Chan:
		return l.intValue(l.chanLenCap(l.snapshot(l.expr(x)).Leaves[0], name))
	}
	panic(unsupportedf("%s of %s", name, xt))
}

// appendCall evaluates append(x, y...) of type t, without branches:
//
//	length := len(x) + len(y)
//	fits := length <= cap(x)
//	alloc fresh; copy the elements of x to fresh
//	result := fits ? the array of x : fresh
//	copy y to result[len(x):]
func (l *lowerer) appendCall(e *ast.CallExpr, t types.Type) Value {
	b := l.b
	elem := t.Underlying().(*types.Slice).Elem()
	x := l.snapshot(l.exprTo(e.Args[0], t))
	var src Value // y, if it is one slice or string
	isString := false
	switch {
	case e.Ellipsis.IsValid():
		src = l.snapshot(l.expr(e.Args[1]))
		if l.isNil(e.Args[1]) {
			src = l.zero(t)
		}
		_, isString = src.Type.Underlying().(*types.Basic)
	case len(e.Args) == 1:
		return x
	}
	var vals []Value
	var n *logic.Term
	if src.Leaves != nil {
		n = src.Leaves[2]
	} else {
		for _, a := range e.Args[1:] {
			vals = append(vals, l.snapshot(l.exprTo(a, elem)))
		}
		n = l.int(int64(len(vals)))
	}
	length := l.temp(b.Add(x.Leaves[2], n))
	fits := l.temp(b.Cmp(logic.OpULe, length, x.Leaves[3]))
	fresh := l.newObjectOf(x.Type)
	l.clear(fresh, elem)
	l.copyElems(elem, fresh, b.Const(logic.Slot, 0), x.Leaves[2], x.Leaves[0], x.Leaves[1])
	obj := l.temp(b.Ite(fits, x.Leaves[0], fresh))
	slot := l.temp(b.Ite(fits, x.Leaves[1], b.Const(logic.Slot, 0)))
	most := l.int(l.maxElems(l.w.prog.Sizes.Sizeof(elem)))
	l.emit(&ir.Assert{Cond: b.Or(fits, b.Cmp(logic.OpULe, length, most)), Kind: schemas.MakeSlice,
		Pos: e.Pos(), Message: "the slice grows too large", IfKnown: true})
	grown := l.newVar("cap", logic.Int)
	l.emit(&ir.Grow{Var: grown, Len: length, Cap: x.Leaves[3], Size: l.w.prog.Sizes.Sizeof(elem),
		Pointers: hasPointers(elem), Word: int64(l.w.wordBits / 8)})
	capacity := l.temp(b.Ite(fits, x.Leaves[3], b.Var(grown)))
	end := l.temp(l.elemSlot(slot, x.Leaves[2], elem))
	switch {
	case isString:
		bytes := l.byteMemory(elem)
		text := b.Var(l.w.StringBytes())
		l.assign(bytes,
			b.Copy(b.Var(bytes), obj, end, n, text, src.Leaves[0], src.Leaves[1]))
	case src.Leaves != nil:
		l.copyElems(elem, obj, end, n, src.Leaves[0], src.Leaves[1])
	default:
		for i, v := range vals {
			l.storeMem(obj, l.elemSlot(end, l.int(int64(i)), elem), elem, "", v)
		}
	}
	return tuple(t, obj, slot, length, capacity)
}

// hasPointers reports whether the collector looks for pointers in values of type t.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// copyCall evaluates copy(to, from), where from may be a string.
func (l *lowerer) copyCall(e *ast.CallExpr) Value {
	to := l.snapshot(l.expr(e.Args[0]))
	from := l.snapshot(l.expr(e.Args[1]))
	elem := to.Type.Underlying().(*types.Slice).Elem()
	shorter := l.b.Cmp(logic.OpSLt, to.Leaves[2], from.Leaves[2])
	n := l.temp(l.b.Ite(shorter, to.Leaves[2], from.Leaves[2]))
	if _, ok := from.Type.Underlying().(*types.Basic); ok {
		bytes := l.byteMemory(elem)
		l.assign(bytes, l.b.Copy(l.b.Var(bytes), to.Leaves[0], to.Leaves[1], n,
			l.b.Var(l.w.StringBytes()), from.Leaves[0], from.Leaves[1]))
	} else {
		l.copyElems(elem, to.Leaves[0], to.Leaves[1], n, from.Leaves[0], from.Leaves[1])
	}
	return l.intValue(n)
}

// maxAlloc returns the size in bytes past which make panics (runtime.maxAlloc).
func (em *emitter) maxAlloc() int64 {
	if em.w.wordBits == 32 {
		return math.MaxUint32
	}
	return 1 << 48
}

// maxElems returns the largest length of a slice or channel of elements of a size in bytes.
func (em *emitter) maxElems(size int64) int64 {
	most := int64(math.MaxInt64) >> (64 - em.w.wordBits)
	if size == 0 {
		return most
	}
	return min(most, em.maxAlloc()/size)
}

// maxMake is the size in bytes up to which slices are made. Larger ones would not panic, but may
// exhaust memory.
const maxMake = 1 << 28

// makeCall evaluates make(t, n, c).
func (l *lowerer) makeCall(e *ast.CallExpr, t types.Type) Value {
	switch u := t.Underlying().(type) {
	case *types.Map:
		if len(e.Args) > 1 {
			l.expr(e.Args[1]) // a hint, which may be negative
		}
		return tuple(t, l.mapMake(u))
	case *types.Chan:
		var n *logic.Term
		if len(e.Args) > 1 {
			n = l.temp(l.toInt(l.sizeExpr(e.Args[1])))
		}
		return tuple(t, l.makeChan(n, u.Elem(), e.Pos()))
	case *types.Slice:
		n := l.temp(l.toInt(l.sizeExpr(e.Args[1])))
		c := n
		if len(e.Args) > 2 {
			c = l.temp(l.toInt(l.sizeExpr(e.Args[2])))
		}
		size := l.w.prog.Sizes.Sizeof(u.Elem())
		ok := l.b.And(l.b.Cmp(logic.OpULe, n, c), l.b.Cmp(logic.OpULe, c, l.int(l.maxElems(size))))
		l.assert(ok, schemas.MakeSlice, e.Pos(),
			"the length or capacity of make is out of range")
		if size > 0 {
			l.bound(l.b.Cmp(logic.OpULe, c, l.int(maxMake/size)), boundMake)
		}
		obj := l.newObjectOf(t)
		l.clear(obj, u.Elem())
		return tuple(t, obj, l.slot0(), n, c)
	}
	panic(unsupportedf("make of %s", t))
}

// sizeExpr evaluates a length or capacity, which may be an untyped constant such as 1e3.
func (l *lowerer) sizeExpr(e ast.Expr) Value {
	if tv := l.pkg.Info.Types[e]; tv.Value != nil {
		return l.constant(tv.Value, types.Typ[types.Int])
	}
	return l.expr(e)
}

// clearCall lowers clear(x). The elements of a slice are overwritten with those of a new object.
func (em *emitter) clearCall(x Value) {
	switch u := x.Type.Underlying().(type) {
	case *types.Map:
		em.mapClear(x.Leaves[0], u)
	case *types.Slice:
		zeros := em.newObject()
		em.clear(zeros, u.Elem())
		em.copyElems(u.Elem(), x.Leaves[0], x.Leaves[1], x.Leaves[2], zeros, em.slot0())
	}
}

// minMax evaluates min or max of type t. The result is NaN if an operand is.
func (l *lowerer) minMax(e *ast.CallExpr, name string, t types.Type) Value {
	u, _ := t.Underlying().(*types.Basic)
	r := l.snapshot(l.exprTo(e.Args[0], t))
	for _, a := range e.Args[1:] {
		y := l.snapshot(l.exprTo(a, t))
		var less *logic.Term
		switch {
		case u.Info()&types.IsString != 0:
			less = l.stringLess(y, r, true)
		case u.Info()&types.IsFloat != 0:
			if name == "min" { // y < r or y is NaN
				less = l.b.Cmp(logic.OpFLt, y.Leaves[0], r.Leaves[0])
				less = l.b.Or(less,
					l.b.Not(l.b.Cmp(logic.OpFEq, y.Leaves[0], y.Leaves[0])))
			} else { // y <= r or r is NaN
				less = l.b.Cmp(logic.OpFLe, y.Leaves[0], r.Leaves[0])
				less = l.b.Or(less,
					l.b.Not(l.b.Cmp(logic.OpFEq, r.Leaves[0], r.Leaves[0])))
			}
		case isSigned(t):
			less = l.b.Cmp(logic.OpSLt, y.Leaves[0], r.Leaves[0])
		default:
			less = l.b.Cmp(logic.OpULt, y.Leaves[0], r.Leaves[0])
		}
		if name == "min" {
			r = l.choose(less, y, r)
		} else {
			r = l.choose(less, r, y)
		}
		r = l.snapshot(r)
	}
	return r
}
