package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// methodValue is x.M without a call: a closure that holds x.
func (l *lowerer) methodValue(e *ast.SelectorExpr, s *types.Selection, t types.Type) Value {
	recv, m := l.receiver(e)
	if types.IsInterface(recv.Type) {
		l.assertNotNil(recv.Leaves[0], e.Pos(), "method value of a nil interface")
	}
	env := l.newObject()
	class := "bound " + l.w.typeKey(recv.Type)
	at := memory(env, l.b.Const(logic.Slot, 0), recv.Type)
	at.class = class
	l.store(at, recv)
	key := "<bound>" + l.w.typeKey(recv.Type) + "." + m.Name()
	sig := t.Underlying().(*types.Signature)
	l.w.enqueue(pending{key: key, make: func() *ir.Func {
		return l.w.wrapper(key, sig, func(em *emitter) []*logic.Var {
			em.out.Closure = true
			return []*logic.Var{em.newVar("closure", logic.Obj)}
		},
			func(em *emitter, own []*logic.Var, args []Value) []Value {
				from := memory(em.b.Var(own[0]), em.b.Const(logic.Slot, 0), recv.Type)
				from.class = class
				return em.invoke(em.load(from), m, args, sig, token.NoPos)
			})
	}})
	return l.closure(key, env, t)
}

// methodExpr is T.M: a function whose first parameter is the receiver.
func (l *lowerer) methodExpr(e *ast.SelectorExpr, s *types.Selection, t types.Type) Value {
	rt := l.typeOf(e.X)
	key := "<expr>" + l.w.typeKey(rt) + "." + e.Sel.Name
	sig := t.Underlying().(*types.Signature)
	pkg := l.pkg
	l.w.enqueue(pending{key: key, make: func() *ir.Func {
		return l.w.wrapper(key, sig, nil, func(em *emitter, own []*logic.Var, args []Value) []Value {
			var rest []*types.Var
			for i := 1; i < sig.Params().Len(); i++ {
				rest = append(rest, sig.Params().At(i))
			}
			inner := types.NewSignatureType(nil, nil, nil, types.NewTuple(rest...), sig.Results(), sig.Variadic())
			return em.method(args[0], e.Sel.Name, pkg.Types, args[1:], inner, token.NoPos)
		})
	}})
	return l.closure(key, l.zeroLeaf(logic.Obj), t)
}

// method calls the named method on a value, through embedded fields where it is promoted.
func (em *emitter) method(recv Value, name string, pkg *types.Package, args []Value, sig *types.Signature, pos token.Pos) []Value {
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
		at = memory(em.alloc(recv.Type), em.b.Const(logic.Slot, 0), recv.Type)
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

// wrapper makes a function of ours with the parameters own and those of sig, whose results are those of do. What happens
// in it happens, for a user, where it was called, so nothing in it has a position.
func (w *World) wrapper(key string, sig *types.Signature, own func(*emitter) []*logic.Var, do func(em *emitter, own []*logic.Var, args []Value) []Value) *ir.Func {
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
			args = append(args, em.paramValue(fmt.Sprintf("a%d", i), sig.Params().At(i).Type()))
		}
		em.setResults(do(&em, extra, args))
	})
	return em.out
}

// ifaceWrapper queues the function that calls a method of dynamic type t on the inside of an interface value.
func (w *World) ifaceWrapper(t types.Type, method string) {
	key := wrapperKey(w.typeKey(t), method)
	if w.queued[key] {
		return
	}
	set := types.NewMethodSet(t)
	var sel *types.Selection
	for i := range set.Len() {
		if set.At(i).Obj().Name() == method {
			sel = set.At(i)
		}
	}
	sig := sel.Type().(*types.Signature)
	w.enqueue(pending{key: key, make: func() *ir.Func {
		own := func(em *emitter) []*logic.Var {
			return []*logic.Var{em.newVar("obj", logic.Obj), em.newVar("slot", logic.Slot)}
		}
		return w.wrapper(key, sig, own, func(em *emitter, own []*logic.Var, args []Value) []Value {
			inside := Value{nil, []*logic.Term{em.zeroLeaf(logic.BV(32)), em.b.Var(own[0]), em.b.Var(own[1])}}
			return em.method(em.snapshot(em.fromInterface(inside, t)), method, sel.Obj().Pkg(), args, sig, token.NoPos)
		})
	}})
}
