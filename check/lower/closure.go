package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
)

// A function value is the identity of a function and a closure object. The closure object of a
// function literal holds the objects of the variables that it shares with the function around it,
// one a slot.

// closure returns the function with that key as a value of type t, with closure object env.
func (em *emitter) closure(key string, env *logic.Term, t types.Type) Value {
	return tuple(t, em.b.Const(logic.BV(32), uint64(em.w.fnID(key))), env)
}

// funcValue lowers the name of a declared function, used as a value of type t.
func (l *lowerer) funcValue(e ast.Expr, t types.Type) Value {
	f := l.staticCallee(ast.Unparen(e))
	if f == nil {
		panic(unsupportedf("the function value %s", types.ExprString(e)))
	}
	key, _ := l.w.need(f, l.typeArgs(ast.Unparen(e)))
	return l.closure(key, l.nilObj(), t)
}

// funcLit lowers a function literal of type t: to a function of its own, and here to
//
//	alloc env
//	env[i] := the object of shared variable i
//
// One that uses nothing of the function around it is lowered like a declared function.
func (l *lowerer) funcLit(e *ast.FuncLit, t types.Type) Value {
	if f := l.w.funcLits[e.Body]; f != nil {
		key, _ := l.w.need(f.Obj, nil)
		return l.closure(key, l.nilObj(), t)
	}
	in := l.inner(e)
	objects := l.captured(e.Pos(), e.End(), e.Body)
	var shared []*variable
	for _, o := range objects {
		shared = append(shared, l.locals[o])
	}
	env, inside := l.share(in, shared)
	captured := map[types.Object]*variable{}
	for i, o := range objects {
		captured[o] = inside[i]
	}
	in.protect(func() {
		in.lowerBody(l.typeOf(e).(*types.Signature), e.Body, captured)
	})
	l.w.addLowered(in.key, in.out)
	v := l.closure(in.key, env, t)
	if l.escapes[e] {
		l.callback(v, nil, e.Pos())
	}
	return v
}

// captured returns the local variables that are used in parts, which lie between from and to in the
// source, but declared outside. They are in order of appearance. addressTaken has made sure that
// they are boxed.
func (l *lowerer) captured(from, to token.Pos, parts ...ast.Node) []types.Object {
	var out []types.Object
	seen := map[types.Object]bool{}
	look := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := l.pkg.Info.Uses[id]
		if v := l.locals[o]; v != nil && !seen[o] && (o.Pos() < from || o.Pos() >= to) {
			if !v.boxed {
				panic(unsupportedf("the captured variable %s", o.Name()))
			}
			seen[o] = true
			out = append(out, o)
		}
		return true
	}
	for _, n := range parts {
		if n != nil {
			ast.Inspect(n, look)
		}
	}
	return out
}

// share returns a closure object that holds vars, which are boxed, and the same variables for the
// function in, of which it makes the closure object the first parameter.
func (em *emitter) share(in *lowerer, vars []*variable) (env *logic.Term, inside []*variable) {
	env = em.newObject()
	mem := em.w.namedMemory("closure "+in.key, logic.Obj, logic.Domain{})
	self := in.newVar("closure", logic.Obj)
	in.out.Params = []*logic.Var{self}
	in.out.Closure = true
	for i, v := range vars {
		slot := em.b.Const(logic.Slot, uint64(i))
		em.assign(mem, em.b.Store(em.b.Var(mem), env, slot, v.obj))
		obj := em.b.Select(em.b.Var(mem), em.b.Var(self), slot)
		inside = append(inside, &variable{typ: v.typ, boxed: true, obj: obj})
	}
	return env, inside
}
