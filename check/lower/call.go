package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/internal/source"
)

// call lowers a call and returns its results.
func (l *lowerer) call(e *ast.CallExpr) []Value { return l.prepare(e, false)() }

// prepare evaluates the function and the arguments of a call, and returns a function that emits
// the call and returns its results. later reports whether other commands may come in between, as
// after a defer statement; then the operands are copied.
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
		vals := l.callArgs(e, sig)
		for i := range vals {
			vals[i] = keep(vals[i])
		}
		return vals
	}
	if f := l.staticCallee(fun); f != nil && f.Pkg() == l.w.intrinsics {
		return func() []Value { return l.intrinsic(f, e) }
	} else if f != nil {
		a := args()
		return func() []Value {
			return l.cResults(e, f, l.callStatic(f, l.typeArgs(fun), nil, a, sig, l.callPos(e)))
		}
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := l.pkg.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			recv, m := l.receiver(sel)
			recv = l.snapshot(recv)
			a := args()
			if later && types.IsInterface(recv.Type) { // of the statement, not of the call
				l.assertNotNil(recv.Leaves[0], l.callPos(e), "method call on a nil interface")
			}
			return func() []Value { return l.invoke(recv, m, a, sig, l.callPos(e)) }
		}
	}
	f := l.snapshot(l.expr(fun))
	a := args()
	if later { // set after the operands, which may hold calls
		l.deferredFn = f.Leaves[0]
	}
	return func() []Value {
		if l.deferring && l.deferredFn != nil { // returnFrom asserts it
			l.assume(l.b.Not(l.b.Eq(f.Leaves[0], l.zeroLeaf(f.Leaves[0].Sort))))
		} else {
			l.assertNotNil(f.Leaves[0], compilerPos(fun), "call of a nil function")
		}
		c := &ir.Call{Pos: l.callPos(e), Fn: f.Leaves[0], Env: f.Leaves[1], Sig: sig}
		return l.emitCall(c, a)
	}
}

// callPos returns the position of a call in stack traces, whose line is that of the parenthesis.
func (l *lowerer) callPos(e *ast.CallExpr) token.Pos {
	line := func(p token.Pos) int { return l.w.prog.Fset.Position(p).Line }
	switch _, isLit := ast.Unparen(e.Fun).(*ast.FuncLit); {
	case line(e.Pos()) == line(e.Lparen):
		return e.Pos()
	case isLit:
		return e.Lparen
	}
	return compilerPos(e.Fun)
}

// callArgs evaluates the arguments of a call and converts them to the types of the parameters.
// Those of a variadic parameter become a slice. The results of a call f(g()) are distributed over
// the parameters.
func (l *lowerer) callArgs(e *ast.CallExpr, sig *types.Signature) []Value {
	params := sig.Params()
	n := params.Len()
	if len(e.Args) == 1 && n > 1 ||
		len(e.Args) == 1 && sig.Variadic() && !e.Ellipsis.IsValid() {
		if c, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok {
			if tup, ok := l.typeOf(c).(*types.Tuple); ok && tup.Len() > 1 {
				return l.spreadArgs(l.call(c), sig)
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
	packed := l.sliceOf(rest, st, elem)
	l.packed[packed.Leaves[0]] = rest
	return append(out, packed)
}

// spreadArgs converts the results of a call to the arguments of another call.
func (l *lowerer) spreadArgs(vals []Value, sig *types.Signature) []Value {
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

// noReturn holds the functions that do not return.
var noReturn = map[string]bool{
	"os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true,
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true,
	"testing.(*common).FailNow": true, "testing.(*common).Fatal": true,
	"testing.(*common).Fatalf": true, "testing.(*common).SkipNow": true,
	"testing.(*common).Skip": true, "testing.(*common).Skipf": true,
	"testing.TB.FailNow": true, "testing.TB.Fatal": true, "testing.TB.Fatalf": true,
	"testing.TB.SkipNow": true, "testing.TB.Skip": true, "testing.TB.Skipf": true,
}

// nilSafe holds the types of the standard library of which some methods accept a nil pointer. The
// methods of other types are taken to panic for it, unless there is a model.
var nilSafe = map[string]bool{
	"bytes.Buffer":           true,
	"crypto/x509.CertPool":   true,
	"html/template.Template": true,
	"math/big.Float":         true,
	"math/big.Int":           true,
	"math/big.Rat":           true,
	"net/url.Userinfo":       true,
	"os.File":                true,
	"text/template.Template": true,
	"time.Location":          true,
}

// receiver evaluates the receiver of the method that x.M selects, and returns it with the method.
// The receiver is x, or a field that x embeds, whose address is taken or which is dereferenced as
// the method requires.
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
			return l.load(l.deref(l.expr(sel.X), compilerPos(sel.X))), m
		}
		return l.expr(sel.X), m
	}
	if !isPtr && !l.isVariable(sel.X) && !wantsPointer {
		v := l.fieldOfValue(l.expr(sel.X), path, sel.Pos())
		if pointee(v.Type) != nil && !types.IsInterface(v.Type) {
			v = l.load(l.deref(v, sel.Pos()))
		}
		return v, m
	}
	at := l.fields(l.base(sel.X), path, compilerPos(sel.X))
	switch {
	case types.IsInterface(at.typ):
		return l.load(at), m
	case wantsPointer && pointee(at.typ) == nil:
		return l.addressOf(at, types.NewPointer(at.typ)), m
	case !wantsPointer && pointee(at.typ) != nil:
		return l.load(l.deref(l.load(at), compilerPos(sel.X))), m
	}
	return l.load(at), m
}

// callStatic emits a call of a declared function. recv is the receiver of a method, or nil. A
// callee without a body may write what the arguments point to.
func (em *emitter) callStatic(f *types.Func, typeArgs []types.Type, recv *Value, args []Value,
	sig *types.Signature, pos token.Pos) []Value {
	key, known := em.w.need(f, typeArgs)
	c := &ir.Call{Pos: pos, Static: key, Sig: sig}
	if recv != nil {
		args = append([]Value{*recv}, args...)
	}
	if !known {
		if recv != nil {
			elem := pointee(recv.Type)
			if elem != nil && !nilSafe[types.TypeString(elem, nil)] {
				em.assertNotNil(recv.Leaves[0], pos, "method call on a nil pointer")
			}
		}
		c.Reach = em.reachable(f, args)
	}
	if f.Pkg() != nil && em.w.prog.Package(f.Pkg().Path()) == nil {
		em.callbacks(f, args, pos)
	}
	// A model may leave out that the function keeps what it gets.
	if em.w.makesChannels && f.Pkg() != nil && em.w.prog.Package(f.Pkg().Path()) == nil &&
		em.sharesChannels(args) {
		em.shareChannels()
	}
	vals := em.emitCall(c, args)
	if !known {
		em.assumeLibraryResults(f, vals)
		em.assumeSummary(f, args, vals)
	}
	if noReturn[source.FuncName(f)] {
		em.stop()
	}
	return vals
}

// invoke emits a call of method m on a receiver that has the type that m requires. If that is an
// interface, the dynamic type decides which method is called, and a model may describe all of them.
func (em *emitter) invoke(recv Value, m *types.Func, args []Value, sig *types.Signature,
	pos token.Pos) []Value {
	if types.IsInterface(recv.Type) {
		em.assertNotNil(recv.Leaves[0], pos, "method call on a nil interface")
		em.w.methodNames[m.Name()] = true
		c := &ir.Call{
			Pos: pos, Tag: recv.Leaves[0], Obj: recv.Leaves[1], Slot: recv.Leaves[2],
			Method: m.Name(), Sig: sig, SigKey: em.w.typeKey(sig),
		}
		c.Type, _ = recv.Type.Underlying().(*types.Interface)
		if n, ok := types.Unalias(recv.Type).(*types.Named); ok {
			c.Iface = source.InterfaceMethodName(n, m)
			model := em.w.models[c.Iface]
			if model != nil && em.w.prog.Package(m.Pkg().Path()) == nil {
				c.Model = em.w.Key(model.Obj, nil)
				em.w.enqueue(pending{key: c.Model, f: model})
			}
		}
		vals := em.emitCall(c, args)
		if noReturn[source.FuncName(m)] {
			em.stop()
		}
		return vals
	}
	return em.callStatic(m, recvTypeArgs(recv.Type), &recv, args, sig, pos)
}

// recvTypeArgs returns the type arguments of a receiver's type.
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

// emitCall completes c with the scalars of the arguments and new variables for those of the
// results, emits it and returns the results.
func (em *emitter) emitCall(c *ir.Call, args []Value) []Value {
	for _, a := range args {
		c.Args = append(c.Args, a.Leaves...)
	}
	c.Deferred, c.Go = em.deferring, em.spawning
	if em.w.makesChannels && (c.Fn != nil || c.Tag != nil) {
		c.Shares = em.sharedChannels()
		em.out.Writes[c.Shares.Memories[0]] = true
	}
	var out []Value
	for i := range c.Sig.Results().Len() {
		t := c.Sig.Results().At(i).Type()
		vars := em.w.InputVars("result", t)
		for _, v := range vars {
			em.addVar(v)
		}
		c.Results = append(c.Results, vars...)
		out = append(out, em.valueOf(t, vars))
	}
	em.emit(c)
	return out
}

// goStmt lowers go f(x): the call is emitted here and marked. When the goroutine runs is not
// modeled.
func (l *lowerer) goStmt(s *ast.GoStmt) {
	run := l.prepare(s.Call, true)
	if l.w.makesChannels {
		l.shareChannels()
	}
	l.spawning = true
	run()
	l.spawning = false
}
