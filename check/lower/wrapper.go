package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// A wrapper is a function that check adds to the testee: a method with its receiver bound, a method
// expression, or a method that is called through an interface.

// methodValue evaluates x.M of type t without a call: a closure that holds x, of the wrapper
//
//	func(args) { return closure.x.M(args) }
func (l *lowerer) methodValue(e *ast.SelectorExpr, t types.Type) Value {
	recv, m := l.receiver(e)
	if types.IsInterface(recv.Type) {
		l.assertNotNil(recv.Leaves[0], e.Pos(), "method value of a nil interface")
	}
	env := l.newObject()
	class := "bound " + l.w.typeKey(recv.Type)
	at := memory(env, l.slot0(), recv.Type)
	at.class = class
	l.store(at, recv)
	key := "<bound>" + l.w.typeKey(recv.Type) + "." + m.Name()
	sig := t.Underlying().(*types.Signature)
	own := func(em *emitter) []*logic.Var {
		em.out.Closure = true
		return []*logic.Var{em.newVar("closure", logic.Obj)}
	}
	body := func(em *emitter, own []*logic.Var, args []Value) []Value {
		from := memory(em.b.Var(own[0]), em.slot0(), recv.Type)
		from.class = class
		return em.invoke(em.load(from), m, args, sig, token.NoPos)
	}
	l.w.enqueue(pending{key: key, make: func() *ir.Func {
		return l.w.wrapper(key, sig, own, body)
	}})
	return l.closure(key, env, t)
}

// methodExpr evaluates T.M of type t: the wrapper
//
//	func(x T, args) { return x.M(args) }
func (l *lowerer) methodExpr(e *ast.SelectorExpr, t types.Type) Value {
	rt := l.typeOf(e.X)
	key := "<expr>" + l.w.typeKey(rt) + "." + e.Sel.Name
	sig := t.Underlying().(*types.Signature)
	pkg := l.pkg
	body := func(em *emitter, own []*logic.Var, args []Value) []Value {
		var rest []*types.Var
		for i := 1; i < sig.Params().Len(); i++ {
			rest = append(rest, sig.Params().At(i))
		}
		params := types.NewTuple(rest...)
		inner := types.NewSignatureType(nil, nil, nil, params, sig.Results(),
			sig.Variadic())
		return em.method(args[0], e.Sel.Name, pkg.Types, args[1:], inner, token.NoPos)
	}
	l.w.enqueue(pending{key: key, make: func() *ir.Func {
		return l.w.wrapper(key, sig, nil, body)
	}})
	return l.closure(key, l.nilObj(), t)
}

// method emits a call of the named method on a value, through embedded fields if it is promoted. It
// does what lowerer.receiver and invoke do for syntax.
func (em *emitter) method(recv Value, name string, pkg *types.Package, args []Value,
	sig *types.Signature, pos token.Pos) []Value {
	obj, index, _ := types.LookupFieldOrMethod(recv.Type, true, pkg, name)
	m, ok := obj.(*types.Func)
	if !ok {
		panic(unsupportedf("the method %s of %s", name, recv.Type))
	}
	if types.IsInterface(recv.Type) {
		return em.invoke(recv, m, args, sig, pos)
	}
	path := index[:len(index)-1]
	_, wantsPointer := m.Type().(*types.Signature).Recv().Type().(*types.Pointer)
	if len(path) == 0 && (pointee(recv.Type) != nil) == wantsPointer {
		return em.invoke(recv, m, args, sig, pos)
	}
	var at location
	if pointee(recv.Type) != nil {
		at = em.deref(recv, pos)
	} else {
		at = memory(em.alloc(recv.Type), em.slot0(), recv.Type)
		em.store(at, recv)
	}
	at = em.fields(at, path, pos)
	var v Value
	switch {
	case types.IsInterface(at.typ):
		v = em.load(at)
	case wantsPointer && pointee(at.typ) == nil:
		v = em.addressOf(at, types.NewPointer(at.typ))
	case !wantsPointer && pointee(at.typ) != nil:
		v = em.load(em.deref(em.load(at), pos))
	default:
		v = em.load(at)
	}
	return em.invoke(em.snapshot(v), m, args, sig, pos)
}

// wrapper returns a function with the parameters that own returns, if it is not nil, and those of
// sig. It returns the results of body, which gets the values of both. Nothing in it has a position:
// panics are reported where the wrapper is called.
func (w *World) wrapper(key string, sig *types.Signature, own func(*emitter) []*logic.Var,
	body func(em *emitter, own []*logic.Var, args []Value) []Value) *ir.Func {
	em := newEmitter(w, newFunc(key))
	em.protect(func() {
		em.start(em.block())
		var extra []*logic.Var
		if own != nil {
			extra = own(&em)
			em.out.Params = append(em.out.Params, extra...)
		}
		var args []Value
		for i := range sig.Params().Len() {
			args = append(args,
				em.paramValue(fmt.Sprintf("a%d", i), sig.Params().At(i).Type()))
		}
		em.setResults(body(&em, extra, args))
	})
	return em.out
}

// ifaceWrapper queues the wrapper that calls a method of dynamic type t on the contents of an
// interface value:
//
//	func(obj, slot, args) { return the t at (obj, slot).M(args) }
func (w *World) ifaceWrapper(t types.Type, method string) {
	key := wrapperKey(w.typeKey(t), method)
	if w.queued[key] {
		return
	}
	set := w.methodSet(t)
	var sel *types.Selection
	for i := range set.Len() {
		if set.At(i).Obj().Name() == method {
			sel = set.At(i)
		}
	}
	sig := sel.Type().(*types.Signature)
	w.methodSigs[key] = w.typeKey(sig)
	own := func(em *emitter) []*logic.Var {
		return []*logic.Var{em.newVar("obj", logic.Obj), em.newVar("slot", logic.Slot)}
	}
	body := func(em *emitter, own []*logic.Var, args []Value) []Value {
		iface := tuple(nil, em.zeroLeaf(logic.BV(32)), em.b.Var(own[0]), em.b.Var(own[1]))
		recv := em.snapshot(em.fromInterface(iface, t))
		return em.method(recv, method, sel.Obj().Pkg(), args, sig, token.NoPos)
	}
	w.enqueue(pending{key: key, make: func() *ir.Func {
		return w.wrapper(key, sig, own, body)
	}})
}
