package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
)

// A defer statement in the body of a loop over a function defers its call to the end of the
// function around the loop. The body, which is a function itself, makes a closure of the call and
// stores it in variables that it shares with the function around:
//
//	thunks[pending] = func() { call }; pending++
//
// The end of the function around calls the closures.

// rangeFuncDefers holds the calls that the bodies of a function's loops over functions defer.
type rangeFuncDefers struct {
	pending *variable
	thunks  [maxDeferred]*variable
	out     *ir.Func // the function around
}

// thunkType is the type func().
var thunkType = types.NewSignatureType(nil, nil, nil, nil, nil, false)

// vars returns the variables that the body shares with the function around.
func (d *rangeFuncDefers) vars() []*variable {
	if d == nil {
		return nil
	}
	return append([]*variable{d.pending}, d.thunks[:]...)
}

// sharedAs returns the same calls for a function in which the shared variables are vars.
func (d *rangeFuncDefers) sharedAs(vars []*variable) *rangeFuncDefers {
	if d == nil {
		return nil
	}
	return &rangeFuncDefers{
		pending: vars[0],
		thunks:  [maxDeferred]*variable(vars[1:]),
		out:     d.out,
	}
}

// rangeFuncDefers returns where the body of a loop over a function stores the calls that it defers,
// or nil if it defers none. A nested loop uses the variables of the loop around.
func (l *lowerer) rangeFuncDefers(body *ast.BlockStmt) *rangeFuncDefers {
	if !defers(body) {
		return nil
	}
	if l.body != nil {
		return l.body.defers
	}
	out := &rangeFuncDefers{pending: l.newBoxed(types.Typ[types.Int64]), out: l.out}
	for i := range out.thunks {
		out.thunks[i] = l.newBoxed(thunkType)
	}
	flag := l.newVar(fmt.Sprintf("deferred%d", len(l.defers)+1), logic.Bool)
	l.bound(l.b.Not(l.b.Var(flag)), boundRangeFuncDefer)
	l.assign(flag, l.b.True())
	l.defers = append(l.defers, &deferred{flag: flag, loopDefers: out})
	l.stack = nil // what is deferred later runs earlier
	return out
}

// deferInRangeFunc lowers a defer statement in the body of a loop over a function.
func (l *lowerer) deferInRangeFunc(s *ast.DeferStmt) {
	d := l.body.defers
	if l.mayRecover(s.Call) {
		d.out.Recovers = true
	}
	from := len(l.vars)
	run := l.prepare(s.Call, true)
	thunk := l.thunk(run, slices.Clone(l.vars[from:]))
	n := l.snapshot(l.loadVar(d.pending)).Leaves[0]
	for i, v := range d.thunks {
		here := l.b.Eq(n, l.int(int64(i)))
		l.storeVar(v, l.snapshot(l.choose(here, thunk, l.loadVar(v))))
	}
	l.bound(l.b.Cmp(logic.OpULt, n, l.int(maxDeferred)), boundDefer)
	l.storeVar(d.pending, tuple(types.Typ[types.Int64], l.b.Add(n, l.int(1))))
}

// thunk returns a closure that does what run emits. run must read no variables but vars; the
// closure holds their present values.
func (l *lowerer) thunk(run func() []Value, vars []*logic.Var) Value {
	*l.closures++
	suffix := fmt.Sprintf("-defer%d", *l.closures)
	key := l.key + suffix
	mems := make([]*logic.Var, len(vars))
	env := l.newObject()
	for i, v := range vars {
		class := fmt.Sprintf("closure %s %d", key, i)
		mems[i] = l.w.namedMemory(class, v.Sort, logic.Domain{})
		l.assign(mems[i], l.b.Store(l.b.Var(mems[i]), env, l.slot0(), l.b.Var(v)))
	}
	// run emits to l, so l builds the closure for a moment. Variables keep their indexes.
	outer := *l
	l.out = newFunc("<defer>" + l.out.Name + suffix)
	l.fixups, l.defers, l.deferring = nil, nil, true
	l.out.NumVars = outer.out.NumVars
	l.protect(func() {
		self := l.newVar("closure", logic.Obj)
		l.out.Params, l.out.Closure = []*logic.Var{self}, true
		l.start(l.block())
		for i, v := range vars {
			l.assign(v, l.b.Select(l.b.Var(mems[i]), l.b.Var(self), l.slot0()))
		}
		run()
		l.cur.End = ir.Return{}
	})
	made, all, temps := l.out, l.vars, l.temps
	*l = outer
	l.vars, l.temps, l.out.NumVars = all, temps, made.NumVars
	l.w.addLowered(key, made)
	if made.Unsupported != "" {
		panic(unsupported{made.Unsupported})
	}
	return l.closure(key, env, thunkType)
}

// runRangeFuncDefers makes the calls that bodies of loops over functions deferred, the last one
// first.
func (l *lowerer) runRangeFuncDefers(d *rangeFuncDefers, call func(run func() []Value)) {
	for i := maxDeferred - 1; i >= 0; i-- {
		do, next := l.block(), l.block()
		pending := l.loadVar(d.pending).Leaves[0]
		l.branch(l.b.Cmp(logic.OpULt, l.int(int64(i)), pending), do, next)
		l.start(do)
		l.storeVar(d.pending, tuple(types.Typ[types.Int64], l.int(int64(i))))
		call(func() []Value {
			f := l.snapshot(l.loadVar(d.thunks[i]))
			c := &ir.Call{Fn: f.Leaves[0], Env: f.Leaves[1], Sig: thunkType}
			return l.emitCall(c, nil)
		})
		l.jump(next)
		l.start(next)
	}
}
