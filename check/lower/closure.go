package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
)

// funcValue is a declared function as a value.
func (l *lowerer) funcValue(e ast.Expr, t types.Type) Value {
	f := l.staticCallee(ast.Unparen(e))
	if f == nil {
		panic(unsupportedf("the function value %s", types.ExprString(e)))
	}
	key, _ := l.w.need(f, l.typeArgs(ast.Unparen(e)))
	return l.closure(key, l.zeroLeaf(logic.Obj), t)
}

func (em *emitter) closure(key string, env *logic.Term, t types.Type) Value {
	return Value{t, []*logic.Term{em.b.Const(logic.BV(32), uint64(em.w.fnID(key))), env}}
}

// funcLit is a function literal: a function of its own that finds the variables it shares in a closure object, as
// pointers.
func (l *lowerer) funcLit(e *ast.FuncLit, t types.Type) Value {
	in := l.inner(".func", e.Pos())
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
	l.w.funcs[in.name] = in.out
	l.w.queued[in.name] = true
	return l.closure(in.name, env, t)
}

// captured returns the local variables that parts of the source from one place to another share with the function
// around them, in order of appearance.
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

// share makes the closure object of a function that is lowered inside another, through which it finds variables of the
// other; it returns the object and the variables as the inner function sees them.
func (em *emitter) share(in *lowerer, vars []*variable) (env *logic.Term, inside []*variable) {
	env = em.newObject()
	mem := em.w.namedMemory("closure "+in.name, logic.Obj, logic.Domain{})
	self := in.newVar("closure", logic.Obj)
	in.out.Params = []*logic.Var{self}
	in.out.Closure = true
	for i, v := range vars {
		slot := em.b.Const(logic.Slot, uint64(i))
		em.assign(mem, em.b.Store(em.b.Var(mem), env, slot, v.obj))
		inside = append(inside, &variable{typ: v.typ, boxed: true, obj: em.b.Select(em.b.Var(mem), em.b.Var(self), slot)})
	}
	return env, inside
}
