package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
)

// A defer statement in the body of a loop over a function defers a call to the end of the function around the loop. The
// body makes a closure of it, and leaves that in variables which it shares with the function around:
//
//	put[pending] = func() { call }; pending++

// rangeFuncDefers are the calls that a loop's body defers to the end of the function around it.
type rangeFuncDefers struct {
	pending *variable
	thunks  [maxDeferred]*variable
	out     *ir.Func // the function around
}

var thunkType = types.NewSignatureType(nil, nil, nil, nil, nil, false)

// vars are the variables to share.
func (d *rangeFuncDefers) vars() []*variable {
	if d == nil {
		return nil
	}
	return append([]*variable{d.pending}, d.thunks[:]...)
}

// sharedAs are the same calls as a function sees them that shares vars.
func (d *rangeFuncDefers) sharedAs(vars []*variable) *rangeFuncDefers {
	if d == nil {
		return nil
	}
	return &rangeFuncDefers{pending: vars[0], thunks: [maxDeferred]*variable(vars[1:]), out: d.out}
}

// rangeFuncDefers returns where the body of a loop over a function leaves the calls that it defers, nil if it defers none.
func (l *lowerer) rangeFuncDefers(body *ast.BlockStmt) *rangeFuncDefers {
	if !defers(body) {
		return nil
	}
	if l.body != nil {
		return l.body.defers
	}
	out := &rangeFuncDefers{pending: &variable{typ: types.Typ[types.Int], boxed: true, obj: l.alloc(types.Typ[types.Int])}, out: l.out}
	for i := range out.thunks {
		out.thunks[i] = &variable{typ: thunkType, boxed: true, obj: l.alloc(thunkType)}
	}
	d := &deferred{flag: l.newVar(fmt.Sprintf("deferred%d", len(l.defers)+1), logic.Bool), loopDefers: out}
	l.bound(l.b.Not(l.b.Var(d.flag)), "of a loop over a function whose body defers calls, 1 run is followed")
	l.assign(d.flag, l.b.True())
	l.defers = append(l.defers, d)
	return out
}

// deferInRangeFunc is a defer statement in the body of a loop over a function.
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
		l.storeVar(v, l.snapshot(l.choose(l.b.Eq(n, l.int(int64(i))), thunk, l.loadVar(v))))
	}
	l.bound(l.b.Cmp(logic.OpULt, n, l.int(maxDeferred)), "of a defer statement in a loop, 3 calls are followed")
	l.storeVar(d.pending, Value{types.Typ[types.Int], []*logic.Term{l.b.Add(n, l.int(1))}})
}

// thunk is a closure that runs run, which reads no variables but vars, with the values that they have now.
func (l *lowerer) thunk(run func() []Value, vars []*logic.Var) Value {
	*l.closures++
	suffix := fmt.Sprintf("-defer%d", *l.closures)
	key := l.name + suffix
	mems := make([]*logic.Var, len(vars))
	env := l.newObject()
	first := l.b.Const(logic.Slot, 0)
	for i, v := range vars {
		mems[i] = l.w.namedMemory(fmt.Sprintf("closure %s %d", key, i), v.Sort, logic.Domain{})
		l.assign(mems[i], l.b.Store(l.b.Var(mems[i]), env, first, l.b.Var(v)))
	}
	// run emits to l, so l is the closure's lowerer for a moment; variables keep their numbers.
	outer := *l
	l.out, l.fixups, l.defers, l.deferring = newFunc("<defer>"+l.out.Name+suffix), nil, nil, true
	l.out.NumVars = outer.out.NumVars
	l.protect(func() {
		self := l.newVar("closure", logic.Obj)
		l.out.Params, l.out.Closure = []*logic.Var{self}, true
		l.start(l.block())
		for i, v := range vars {
			l.assign(v, l.b.Select(l.b.Var(mems[i]), l.b.Var(self), first))
		}
		run()
		l.cur.End = ir.Return{}
	})
	made, all, temps := l.out, l.vars, l.temps
	*l = outer
	l.vars, l.temps, l.out.NumVars = all, temps, made.NumVars
	l.w.funcs[key], l.w.queued[key] = made, true
	if made.Unsupported != "" {
		panic(unsupported{made.Unsupported})
	}
	return l.closure(key, env, thunkType)
}

// runRangeFuncDefers makes the calls that loops' bodies deferred, last one first.
func (l *lowerer) runRangeFuncDefers(d *rangeFuncDefers, call func(run func() []Value)) {
	for i := maxDeferred - 1; i >= 0; i-- {
		do, next := l.block(), l.block()
		l.branch(l.b.Cmp(logic.OpULt, l.int(int64(i)), l.loadVar(d.pending).Leaves[0]), do, next)
		l.start(do)
		l.storeVar(d.pending, Value{types.Typ[types.Int], []*logic.Term{l.int(int64(i))}})
		call(func() []Value {
			f := l.snapshot(l.loadVar(d.thunks[i]))
			return l.emitCall(&ir.Call{Pos: token.NoPos, Fn: f.Leaves[0], Env: f.Leaves[1], Sig: thunkType}, nil)
		})
		l.jump(next)
		l.start(next)
	}
}
