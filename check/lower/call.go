package lower

import (
	"go/ast"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/source"
	"dsd/schemas"
)

// call evaluates a call; the result has one value a result.
func (l *lowerer) call(e *ast.CallExpr) []Value { return l.prepare(e, false)() }

// prepare evaluates the operands of a call now and returns what makes the call; later says that other commands come
// in between, as after a defer statement.
func (l *lowerer) prepare(e *ast.CallExpr, later bool) func() []Value {
	keep := func(v Value) Value {
		if later {
			return l.snapshot(v)
		}
		return v
	}
	if tv := l.pkg.Info.Types[e.Fun]; tv.IsType() {
		v := keep(l.conversion(e.Args[0], l.typ(tv.Type)))
		return func() []Value { return []Value{v} }
	}
	fun := ast.Unparen(e.Fun)
	if b := l.builtinOf(fun); b != nil {
		return l.builtin(e, b.Name(), later)
	}
	sig, ok := l.typeOf(e.Fun).Underlying().(*types.Signature)
	if !ok {
		panic(unsupportedf("a call of a type parameter"))
	}
	args := func() []Value {
		vals := l.args(e, sig)
		for i := range vals {
			vals[i] = keep(vals[i])
		}
		return vals
	}
	if f := l.staticCallee(fun); f != nil && f.Pkg() == l.w.words {
		return func() []Value { return l.intrinsic(f, e) }
	} else if f != nil {
		a := args()
		return func() []Value { return l.callStatic(f, l.typeArgs(fun), nil, a, sig, e) }
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := l.pkg.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			recv, m := l.receiver(sel)
			recv = l.snapshot(recv)
			a := args()
			return func() []Value { return l.invoke(recv, m, a, sig, e) }
		}
	}
	f := l.snapshot(l.expr(fun))
	a := args()
	if later { // for a defer statement; calls among the operands are made now
		l.deferredFn = f.Leaves[0]
	}
	return func() []Value {
		if l.deferring && l.deferredFn != nil {
			l.assume(l.b.Not(l.b.Eq(f.Leaves[0], l.zeroLeaf(f.Leaves[0].Sort)))) // see leave
		} else {
			l.notNil(f.Leaves[0], place(fun), "call of a nil function")
		}
		return l.emitCall(&ir.Call{Pos: e.Pos(), Fn: f.Leaves[0], Env: f.Leaves[1], Sig: sig}, a)
	}
}

// builtinOf is the builtin function that fun names, or nil.
func (l *lowerer) builtinOf(fun ast.Expr) *types.Builtin {
	switch f := fun.(type) {
	case *ast.Ident:
		b, _ := l.pkg.Info.Uses[f].(*types.Builtin)
		return b
	case *ast.SelectorExpr: // unsafe.Sizeof
		b, _ := l.pkg.Info.Uses[f.Sel].(*types.Builtin)
		return b
	}
	return nil
}

// staticCallee is the declared function that fun names, or nil.
func (l *lowerer) staticCallee(fun ast.Expr) *types.Func {
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ := l.pkg.Info.Uses[f].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		if l.pkg.Info.Selections[f] == nil {
			fn, _ := l.pkg.Info.Uses[f.Sel].(*types.Func)
			return fn
		}
	case *ast.IndexExpr:
		return l.staticCallee(ast.Unparen(f.X))
	case *ast.IndexListExpr:
		return l.staticCallee(ast.Unparen(f.X))
	}
	return nil
}

// typeArgs are the type arguments of the generic function that fun names.
func (l *lowerer) typeArgs(fun ast.Expr) []types.Type {
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		return l.typeArgs(ast.Unparen(f.X))
	case *ast.IndexListExpr:
		return l.typeArgs(ast.Unparen(f.X))
	}
	var out []types.Type
	if list := l.pkg.Info.Instances[id].TypeArgs; list != nil {
		for i := range list.Len() {
			out = append(out, l.typ(list.At(i)))
		}
	}
	return out
}

// args evaluates the arguments of a call, converted to the parameters' types; variadic ones are gathered in a slice.
func (l *lowerer) args(e *ast.CallExpr, sig *types.Signature) []Value {
	params := sig.Params()
	n := params.Len()
	if len(e.Args) == 1 && n > 1 || len(e.Args) == 1 && sig.Variadic() && !e.Ellipsis.IsValid() {
		if c, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok {
			if tup, ok := l.typeOf(c).(*types.Tuple); ok && tup.Len() > 1 {
				return l.spread(l.call(c), sig)
			}
		}
	}
	var out []Value
	fixed := n
	if sig.Variadic() && !e.Ellipsis.IsValid() {
		fixed = n - 1
	}
	for i := range fixed {
		out = append(out, l.snapshot(l.exprTo(e.Args[i], params.At(i).Type())))
	}
	if fixed == n {
		return out
	}
	st := params.At(n - 1).Type()
	elem := st.Underlying().(*types.Slice).Elem()
	var rest []Value
	for _, a := range e.Args[fixed:] {
		rest = append(rest, l.snapshot(l.exprTo(a, elem)))
	}
	return append(out, l.sliceOf(rest, st, elem))
}

// spread distributes the results of a call over the parameters of another.
func (l *lowerer) spread(vals []Value, sig *types.Signature) []Value {
	n := sig.Params().Len()
	if !sig.Variadic() {
		for i := range vals {
			vals[i] = l.assignable(vals[i], sig.Params().At(i).Type())
		}
		return vals
	}
	st := sig.Params().At(n - 1).Type()
	elem := st.Underlying().(*types.Slice).Elem()
	var out, rest []Value
	for i, v := range vals {
		if i < n-1 {
			out = append(out, l.assignable(v, sig.Params().At(i).Type()))
		} else {
			rest = append(rest, l.assignable(v, elem))
		}
	}
	return append(out, l.sliceOf(rest, st, elem))
}

// sliceOf is a slice with these elements; nil if there are none.
func (l *lowerer) sliceOf(vals []Value, t, elem types.Type) Value {
	if len(vals) == 0 {
		return l.zero(t)
	}
	obj := l.newObject()
	l.clear(obj, elem)
	for i, v := range vals {
		l.storeMem(obj, l.at(l.b.Const(logic.Slot, 0), l.int(int64(i)), elem), elem, "", v)
	}
	n := l.int(int64(len(vals)))
	return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0), n, n}}
}

// noReturn are functions after which nothing runs.
var noReturn = map[string]bool{
	"os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true,
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true,
}

// nilSafe are types of the standard library some of whose methods work on nil pointers. Other methods without a body here
// are taken to panic on them.
var nilSafe = map[string]bool{
	"os.File": true, "time.Location": true, "net/url.Userinfo": true, "bytes.Buffer": true, "crypto/x509.CertPool": true,
	"math/big.Int": true, "math/big.Rat": true, "math/big.Float": true, "text/template.Template": true, "html/template.Template": true,
}

// callStatic calls a declared function; recv is the receiver of a method, nil for a function.
func (l *lowerer) callStatic(f *types.Func, typeArgs []types.Type, recv *Value, args []Value, sig *types.Signature, e ast.Node) []Value {
	key, known := l.w.need(f, typeArgs)
	c := &ir.Call{Pos: e.Pos(), Static: key, Sig: sig}
	if recv != nil {
		args = append([]Value{*recv}, args...)
	}
	if !known {
		if recv != nil && pointee(recv.Type) != nil && !nilSafe[types.TypeString(pointee(recv.Type), nil)] {
			l.notNil(recv.Leaves[0], e.Pos(), "method call on a nil pointer")
		}
		c.Reach = l.reach(args)
	}
	vals := l.emitCall(c, args)
	if noReturn[source.FuncName(f)] {
		l.stop()
	}
	return vals
}

// emitCall finishes a call: its arguments' scalars, and variables for those of its results.
func (l *lowerer) emitCall(c *ir.Call, args []Value) []Value {
	for _, a := range args {
		c.Args = append(c.Args, a.Leaves...)
	}
	c.Deferred, c.Go = l.deferring, l.spawning
	var out []Value
	for i := range c.Sig.Results().Len() {
		t := c.Sig.Results().At(i).Type()
		vars := l.w.InputVars("result", t)
		for _, v := range vars {
			l.own(v)
		}
		c.Results = append(c.Results, vars...)
		out = append(out, l.valueOf(t, vars))
	}
	l.emit(c)
	return out
}

// receiver evaluates what the method of a selector x.M is called on: the value x, or what x embeds, as it is
// declared, with its address taken if the method wants a pointer.
func (l *lowerer) receiver(sel *ast.SelectorExpr) (Value, *types.Func) {
	xt := l.typeOf(sel.X)
	obj, index, _ := types.LookupFieldOrMethod(xt, true, l.pkg.Types, sel.Sel.Name)
	m, ok := obj.(*types.Func)
	if !ok {
		panic(unsupportedf("the method %s of %s", sel.Sel.Name, xt))
	}
	path := index[:len(index)-1]
	if types.IsInterface(xt) {
		return l.expr(sel.X), m
	}
	wantsPointer := false
	if r := m.Type().(*types.Signature).Recv(); r != nil {
		_, wantsPointer = r.Type().(*types.Pointer)
	}
	isPtr := pointee(xt) != nil
	if len(path) == 0 {
		switch {
		case wantsPointer && !isPtr:
			at := l.addr(sel.X)
			return l.addressOf(at, types.NewPointer(xt)), m
		case !wantsPointer && isPtr:
			return l.load(l.deref(l.expr(sel.X), place(sel.X))), m
		}
		return l.expr(sel.X), m
	}
	if !isPtr && !l.hasPlace(sel.X) && !wantsPointer {
		v := l.fieldOfValue(l.expr(sel.X), path, sel.Pos())
		if pointee(v.Type) != nil && !types.IsInterface(v.Type) {
			v = l.load(l.deref(v, sel.Pos()))
		}
		return v, m
	}
	at := l.fields(l.base(sel.X), path, place(sel.X))
	switch {
	case types.IsInterface(at.typ):
		return l.load(at), m
	case wantsPointer && pointee(at.typ) == nil:
		return l.addressOf(at, types.NewPointer(at.typ)), m
	case !wantsPointer && pointee(at.typ) != nil:
		return l.load(l.deref(l.load(at), place(sel.X))), m
	}
	return l.load(at), m
}

// invoke calls method m on a receiver that receiver (or a wrapper) prepared.
func (l *lowerer) invoke(recv Value, m *types.Func, args []Value, sig *types.Signature, e ast.Node) []Value {
	if types.IsInterface(recv.Type) {
		l.notNil(recv.Leaves[0], e.Pos(), "method call on a nil interface")
		l.w.methodNames[m.Name()] = true
		c := &ir.Call{Pos: e.Pos(), Tag: recv.Leaves[0], Obj: recv.Leaves[1], Slot: recv.Leaves[2], Method: m.Name(), Sig: sig}
		if n, ok := types.Unalias(recv.Type).(*types.Named); ok {
			c.Iface = source.InterfaceMethodName(n, m)
			if model := l.w.models[c.Iface]; model != nil && l.w.prog.Package(m.Pkg().Path()) == nil {
				c.Model = l.w.Key(model.Obj, nil)
				l.w.enqueue(pending{key: c.Model, f: model})
			}
		}
		return l.emitCall(c, args)
	}
	return l.callStatic(m, recvTypeArgs(recv.Type), &recv, args, sig, e)
}

func recvTypeArgs(t types.Type) []types.Type {
	if p := pointee(t); p != nil {
		t = p
	}
	var out []types.Type
	if n, ok := types.Unalias(t).(*types.Named); ok {
		for i := range n.TypeArgs().Len() {
			out = append(out, n.TypeArgs().At(i))
		}
	}
	return out
}

// builtin lowers a call of a builtin function.
func (l *lowerer) builtin(e *ast.CallExpr, name string, later bool) func() []Value {
	now := func(v ...Value) func() []Value { return func() []Value { return v } }
	rt := l.pkg.Info.TypeOf(e)
	var t types.Type
	if rt != nil {
		t = l.typ(rt)
	}
	switch name {
	case "len", "cap":
		return now(l.lenCap(e.Args[0], name, t))
	case "append":
		return now(l.appendCall(e, t))
	case "copy":
		return now(l.copyCall(e, t))
	case "make":
		return now(l.makeCall(e, t))
	case "new":
		elem := pointee(t)
		return now(Value{t, []*logic.Term{l.alloc(elem), l.b.Const(logic.Slot, 0)}})
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
		return func() []Value {
			l.emit(&ir.Assert{Cond: l.b.False(), Kind: schemas.ExplicitPanic, Pos: e.Pos(), Message: "panic is called", Value: x.Leaves})
			l.stop()
			return nil
		}
	case "print", "println":
		for _, a := range e.Args {
			l.expr(a)
		}
		return now()
	case "recover":
		if later { // recover is the deferred function then, and not called by one
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
		return now(Value{t, []*logic.Term{re.Leaves[0], im.Leaves[0]}})
	}
	return now(l.unsafeCall(e, name, t))
}

func (l *lowerer) lenCap(x ast.Expr, name string, t types.Type) Value {
	one := func(v *logic.Term) Value { return Value{t, []*logic.Term{v}} }
	xt := l.typeOf(x)
	switch u := xt.Underlying().(type) {
	case *types.Basic:
		return one(l.expr(x).Leaves[2])
	case *types.Slice:
		if name == "cap" {
			return one(l.expr(x).Leaves[3])
		}
		return one(l.expr(x).Leaves[2])
	case *types.Array:
		return one(l.int(u.Len()))
	case *types.Pointer:
		l.expr(x)
		return one(l.int(u.Elem().Underlying().(*types.Array).Len()))
	case *types.Map:
		return one(l.mapLen(l.expr(x).Leaves[0], u))
	case *types.Chan:
		l.expr(x)
		v := l.havoc(name, types.Typ[types.Int])
		l.assume(l.b.Cmp(logic.OpSLe, l.int(0), v.Leaves[0]))
		return one(v.Leaves[0])
	}
	panic(unsupportedf("%s of %s", name, xt))
}

// copyElems copies n elements between slices, as if through a buffer.
func (l *lowerer) copyElems(elem types.Type, toObj, toSlot, n, obj, slot *logic.Term) {
	size := l.int(int64(l.w.Slots(elem)))
	count := l.temp(l.b.Mul(n, size))
	for _, m := range l.w.Contents(elem) {
		l.assign(m, l.b.Copy(l.b.Var(m), toObj, toSlot, count, l.b.Var(m), obj, slot))
	}
}

// appendCall is append: in place if the capacity allows it, else into a new array.
func (l *lowerer) appendCall(e *ast.CallExpr, t types.Type) Value {
	b := l.b
	elem := t.Underlying().(*types.Slice).Elem()
	x := l.snapshot(l.exprTo(e.Args[0], t))
	var src Value // what is appended, as a slice or string
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
	fresh := l.newObject()
	l.clear(fresh, elem)
	l.copyElems(elem, fresh, b.Const(logic.Slot, 0), x.Leaves[2], x.Leaves[0], x.Leaves[1])
	obj := l.temp(b.Ite(fits, x.Leaves[0], fresh))
	slot := l.temp(b.Ite(fits, x.Leaves[1], b.Const(logic.Slot, 0)))
	// How much room append makes is not specified; ours is exactly enough or twice that.
	capacity := l.temp(b.Ite(fits, x.Leaves[3], length))
	end := l.temp(l.at(slot, x.Leaves[2], elem))
	switch {
	case isString:
		bytes := l.byteMemory(elem)
		l.assign(bytes, b.Copy(b.Var(bytes), obj, end, n, b.Var(l.w.StringBytes()), src.Leaves[0], src.Leaves[1]))
	case src.Leaves != nil:
		l.copyElems(elem, obj, end, n, src.Leaves[0], src.Leaves[1])
	default:
		for i, v := range vals {
			l.storeMem(obj, l.at(end, l.int(int64(i)), elem), elem, "", v)
		}
	}
	return Value{t, []*logic.Term{obj, slot, length, capacity}}
}

func (l *lowerer) copyCall(e *ast.CallExpr, t types.Type) Value {
	to := l.snapshot(l.expr(e.Args[0]))
	from := l.snapshot(l.expr(e.Args[1]))
	elem := to.Type.Underlying().(*types.Slice).Elem()
	n := l.temp(l.b.Ite(l.b.Cmp(logic.OpSLt, to.Leaves[2], from.Leaves[2]), to.Leaves[2], from.Leaves[2]))
	if _, ok := from.Type.Underlying().(*types.Basic); ok {
		bytes := l.byteMemory(elem)
		l.assign(bytes, l.b.Copy(l.b.Var(bytes), to.Leaves[0], to.Leaves[1], n, l.b.Var(l.w.StringBytes()), from.Leaves[0], from.Leaves[1]))
	} else {
		l.copyElems(elem, to.Leaves[0], to.Leaves[1], n, from.Leaves[0], from.Leaves[1])
	}
	return Value{types.Typ[types.Int], []*logic.Term{n}}
}

// maxAlloc is the size in bytes past which make panics on 64-bit platforms (runtime.maxAlloc).
const maxAlloc = 1 << 48

func (l *lowerer) makeCall(e *ast.CallExpr, t types.Type) Value {
	switch u := t.Underlying().(type) {
	case *types.Map:
		if len(e.Args) > 1 {
			l.expr(e.Args[1]) // a hint; negative is allowed
		}
		return Value{t, []*logic.Term{l.mapMake(u)}}
	case *types.Chan:
		var n *logic.Term
		if len(e.Args) > 1 {
			n = l.temp(l.toInt(l.exprInt(e.Args[1])))
		}
		return Value{t, []*logic.Term{l.makeChan(n, u.Elem(), e.Pos())}}
	case *types.Slice:
		n := l.temp(l.toInt(l.exprInt(e.Args[1])))
		c := n
		if len(e.Args) > 2 {
			c = l.temp(l.toInt(l.exprInt(e.Args[2])))
		}
		size := max(l.w.prog.Sizes.Sizeof(u.Elem()), 1)
		limit := l.int(maxAlloc / size)
		l.assert(l.b.And(l.b.Cmp(logic.OpULe, n, c), l.b.Cmp(logic.OpULe, c, limit)), schemas.MakeSlice, e.Pos(), "the length or capacity of make is out of range")
		// More than this would not panic but fail for want of memory.
		l.bound(l.b.Cmp(logic.OpULe, c, l.int(1<<28/size)), "slices of more than 256 MB are not made")
		obj := l.newObject()
		l.clear(obj, u.Elem())
		return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0), n, c}}
	}
	panic(unsupportedf("make of %s", t))
}

// exprInt evaluates a size, which may be an untyped constant such as 1e3.
func (l *lowerer) exprInt(e ast.Expr) Value {
	if tv := l.pkg.Info.Types[e]; tv.Value != nil {
		return l.constant(tv.Value, types.Typ[types.Int])
	}
	return l.expr(e)
}

func (l *lowerer) clearCall(x Value) {
	switch u := x.Type.Underlying().(type) {
	case *types.Map:
		l.mapClear(x.Leaves[0], u)
	case *types.Slice:
		zeros := l.newObject()
		l.clear(zeros, u.Elem())
		l.copyElems(u.Elem(), x.Leaves[0], x.Leaves[1], x.Leaves[2], zeros, l.b.Const(logic.Slot, 0))
	}
}

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
			// NaN wins either way.
			less = l.b.Or(l.b.Cmp(logic.OpFLt, y.Leaves[0], r.Leaves[0]), l.b.Not(l.b.Cmp(logic.OpFEq, y.Leaves[0], y.Leaves[0])))
			if name == "max" {
				less = l.b.And(l.b.Cmp(logic.OpFLe, y.Leaves[0], r.Leaves[0]), l.b.True())
				less = l.b.Or(less, l.b.Not(l.b.Cmp(logic.OpFEq, r.Leaves[0], r.Leaves[0])))
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

// reach finds what a callee can write through its arguments: the objects that pointers and slices refer to, one step
// deep, as far as the callee can know their contents.
func (l *lowerer) reach(args []Value) []ir.Reach {
	var out []ir.Reach
	for _, a := range args {
		var elem types.Type
		switch u := a.Type.Underlying().(type) {
		case *types.Pointer:
			elem = u.Elem()
		case *types.Slice:
			elem = u.Elem()
		default:
			continue
		}
		out = append(out, ir.Reach{Obj: a.Leaves[0], Memories: l.w.Contents(elem)})
	}
	return out
}
