package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// A function with defer statements ends in blocks that make the deferred calls, the last one first.
// Control gets there by a return, or by a panic of the function or of a callee:
//
//	exit:    panicking := nil; goto run
//	unwind:  (panicking holds the panic's value); if inside { current := own; inside := false }; goto run
//	run:     for each defer statement, the last one first:
//	           if deferred {
//	             deferred := false; own := current; inside := true
//	             current := panicking; call; panicking := current
//	             current := own; inside := false
//	           }
//	         if panicking == nil { return } else { unwind }
//
// deferred is set where control passes the defer statement. A statement in a loop, and those that
// follow it in the source, push their calls on a stack, which stands for all of them. current is a
// hidden variable of the testee: recover finds the panic's value there, and removes it.

// maxDeferred is the number of calls on the stack that are followed, and of those of the bodies of loops
// over functions.
const maxDeferred = 5

// deferred is a defer statement. It is one of
//
//   - a statement outside loops: flag and run are set;
//   - a statement whose calls are on a stack: vars, slots and run are set;
//   - all statements of a stack: stack is set;
//   - all statements in bodies of loops over functions: flag and loopDefers are set.
type deferred struct {
	run func() []Value // emits the call

	flag *logic.Var  // whether there is a pending call
	fn   *logic.Term // the function value that is called, or nil

	vars  []*logic.Var              // the operands of the newest call
	slots [maxDeferred][]*logic.Var // the operands of each call on the stack

	stack      *deferStack
	loopDefers *rangeFuncDefers
}

// deferStack is the stack of the pending calls of defer statements in loops and of those that follow.
type deferStack struct {
	pending    *logic.Var              // the number of calls
	which      [maxDeferred]*logic.Var // the index in statements of the statement of each call
	statements []*deferred
}

// anyType is the type of a panic's value.
var anyType = types.Universe.Lookup("any").Type()

// deferStmt lowers defer f(x), outside loops and without a stack, to
//
//	evaluate f and x
//	deferred := true
//
// and otherwise to
//
//	evaluate f and x
//	which[pending] := the statement; slots[pending] := f, x
//	assume pending < maxDeferred
//	pending++
func (l *lowerer) deferStmt(s *ast.DeferStmt) {
	if l.body != nil {
		l.deferInRangeFunc(s)
		return
	}
	if l.mayRecover(s.Call) {
		l.out.Recovers = true
	}
	from := len(l.vars)
	l.deferredFn = nil
	d := &deferred{run: l.prepare(s.Call, true)}
	if l.stack == nil && !l.inLoop() {
		l.defers = append(l.defers, d)
		d.flag = l.newVar(fmt.Sprintf("deferred%d", len(l.defers)), logic.Bool)
		l.assign(d.flag, l.b.True())
		d.fn = l.deferredFn
		return
	}
	vars := slices.Clone(l.vars[from:])
	if l.stack == nil {
		l.stack = &deferStack{pending: l.newVar("pending", logic.Int)}
		l.defers = append(l.defers, &deferred{stack: l.stack})
		for i := range l.stack.which {
			l.stack.which[i] = l.newVar(fmt.Sprintf("which.%d", i), logic.Int)
		}
	}
	l.stack.push(l, d, vars)
}

// push emits the commands that push the call of a statement, whose operands are vars.
func (s *deferStack) push(l *lowerer, d *deferred, vars []*logic.Var) {
	d.vars = vars
	n := l.b.Var(s.pending)
	for i := range d.slots {
		here := l.b.Eq(n, l.int(int64(i)))
		l.assign(s.which[i], l.b.Ite(here, l.int(int64(len(s.statements))), l.b.Var(s.which[i])))
		for _, v := range d.vars {
			slot := l.newVar(fmt.Sprintf("%s.%d", v.Name, i), v.Sort)
			d.slots[i] = append(d.slots[i], slot)
			l.assign(slot, l.b.Ite(here, l.b.Var(v), l.b.Var(slot)))
		}
	}
	l.bound(l.b.Cmp(logic.OpULt, n, l.int(maxDeferred)), boundDefer)
	l.assign(s.pending, l.b.Add(n, l.int(1)))
	s.statements = append(s.statements, d)
}

// mayRecover reports whether a deferred call is of a function whose own body calls recover, or of a
// function value or a method of an interface that may be one: where panics may be recovered, each is
// followed through the deferred calls, which is not done without need.
func (l *lowerer) mayRecover(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok {
		return callsRecover(l.pkg.Info, lit.Body)
	}
	if l.builtinOf(fun) != nil {
		return false
	}
	f := l.staticCallee(fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok && f == nil {
		f, _ = l.pkg.Info.Uses[sel.Sel].(*types.Func)
	}
	switch {
	case f == nil:
		return l.w.recoveringValues
	case f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()):
		return l.w.recoveringMethods[f.Name()]
	}
	src := l.w.decls[f.Origin()]
	return src != nil && callsRecover(src.Pkg.Info, src.Decl.Body)
}

// currentPanic returns the location of the value of the panic that a deferred call may recover
// from.
func (em *emitter) currentPanic() location {
	at := memory(em.b.Const(logic.Obj, uint64(em.w.panicObj)), em.slot0(), anyType)
	at.class = "current panic"
	return at
}

// recoverCall lowers recover():
//
//	byDefer ? current : nil; if byDefer { current := nil }
//
// where byDefer is true if a defer statement called the function.
func (em *emitter) recoverCall() Value {
	if em.out.ByDefer == nil {
		em.out.ByDefer = em.newVar("by defer", logic.Bool)
	}
	byDefer := em.b.Var(em.out.ByDefer)
	cur := em.snapshot(em.load(em.currentPanic()))
	em.store(em.currentPanic(), em.choose(byDefer, em.zero(anyType), cur))
	return em.choose(byDefer, cur, em.zero(anyType))
}

// returnFrom jumps to the end of the function. It asserts that no deferred function is nil: Go
// gives such a panic the position of the return.
func (l *lowerer) returnFrom(pos token.Pos) {
	for _, d := range l.defers {
		if d.fn != nil {
			isNil := l.b.Eq(d.fn, l.zeroLeaf(d.fn.Sort))
			ok := l.b.Or(l.b.Not(l.b.Var(d.flag)), l.b.Not(isNil))
			l.emit(&ir.Assert{
				Cond: ok, Kind: schemas.NilDeref, Pos: pos, Ptr: d.fn,
				Message: "a deferred function is nil",
			})
		}
	}
	l.jump(l.exit)
}

// finish lowers the end of the function: the deferred calls and the results.
func (l *lowerer) finish() {
	l.start(l.exit)
	if len(l.defers) > 0 {
		l.runDefers()
	}
	var vals []Value
	for _, v := range l.results {
		vals = append(vals, l.loadVar(v))
	}
	l.setResults(vals)
}

// unwinding is what the end of a function keeps about panics. Its variables are set only if a deferred
// call may recover.
type unwinding struct {
	panicking *variable // the value of the panic, nil if there is none
	// own is what the function itself would recover from. During a deferred call, which inside says, the
	// deferred function may recover from panicking instead; if it panics, own is put back.
	own    *variable
	inside *logic.Var
}

// runDefers lowers the deferred calls, as drawn at the top of this file. Afterwards, the current
// block is the one that returns.
func (l *lowerer) runDefers() {
	panicking := &variable{typ: anyType}
	for i, leaf := range l.w.Layout(anyType) {
		v := l.newVar(fmt.Sprintf("panicking.%d", i), leaf.Sort)
		panicking.vars = append(panicking.vars, v)
	}
	l.out.Panic = panicking.vars
	l.out.Unwound = l.newVar("unwound", logic.Bool)
	u := &unwinding{panicking: panicking, own: &variable{typ: anyType}}
	if l.out.Recovers {
		for i, leaf := range l.w.Layout(anyType) {
			v := l.newVar(fmt.Sprintf("own.%d", i), leaf.Sort)
			l.initially(v, l.zeroLeaf(leaf.Sort))
			u.own.vars = append(u.own.vars, v)
		}
		u.inside = l.newVar("inside", logic.Bool)
		l.initially(u.inside, l.b.False())
	}
	unwind, run := l.block(), l.block()
	l.storeVar(panicking, l.zero(anyType))
	l.assign(l.out.Unwound, l.b.False())
	l.jump(run)
	l.start(unwind)
	l.out.Unwind = unwind.Index
	l.assign(l.out.Unwound, l.b.True())
	if l.out.Recovers {
		own := l.choose(l.b.Var(u.inside), l.loadVar(u.own), l.load(l.currentPanic()))
		l.store(l.currentPanic(), l.snapshot(own))
		l.assign(u.inside, l.b.False())
	}
	l.jump(run)
	l.start(run)
	l.deferring = true
	for _, d := range slices.Backward(l.defers) {
		if d.stack != nil {
			d.stack.run(l, u)
		} else {
			l.runDeferred(d, u)
		}
	}
	l.deferring = false
	escape, ret := l.block(), l.block()
	l.branch(l.isZero(l.loadVar(panicking)), ret, escape)
	l.start(escape)
	l.cur.End = ir.Unwind{}
	l.start(ret)
}

// runDeferred makes the pending call of a statement that is not on the stack.
func (l *lowerer) runDeferred(d *deferred, u *unwinding) {
	l.deferredFn = d.fn
	l.initially(d.flag, l.b.False())
	do, next := l.block(), l.block()
	l.branch(l.b.Var(d.flag), do, next)
	l.start(do)
	call := func(run func() []Value) { l.callDeferred(run, u) }
	if d.loopDefers != nil {
		l.runRangeFuncDefers(d.loopDefers, call)
	}
	l.assign(d.flag, l.b.False())
	if d.fn != nil { // a nil function panics when it is called
		panics, runs := l.block(), l.block()
		l.branch(l.b.Eq(d.fn, l.zeroLeaf(d.fn.Sort)), panics, runs)
		l.start(panics)
		l.storeVar(u.panicking, tuple(anyType, l.b.Const(logic.BV(32), logic.TagRuntimeError),
			l.nilObj(), l.slot0()))
		l.jump(next)
		l.start(runs)
	}
	if d.run != nil {
		call(d.run)
	}
	l.jump(next)
	l.start(next)
}

// run makes the calls on the stack.
func (s *deferStack) run(l *lowerer, u *unwinding) {
	l.deferredFn = nil
	l.initially(s.pending, l.int(0))
	for i := maxDeferred - 1; i >= 0; i-- {
		do, next := l.block(), l.block()
		l.branch(l.b.Cmp(logic.OpULt, l.int(int64(i)), l.b.Var(s.pending)), do, next)
		l.start(do)
		l.assign(s.pending, l.int(int64(i)))
		for k, d := range s.statements {
			other := next
			if k < len(s.statements)-1 {
				this := l.block()
				other = l.block()
				l.branch(l.b.Eq(l.b.Var(s.which[i]), l.int(int64(k))), this, other)
				l.start(this)
			}
			for j, v := range d.vars {
				l.assign(v, l.b.Var(d.slots[i][j]))
			}
			l.callDeferred(d.run, u)
			l.jump(next)
			l.start(other)
		}
	}
}

// initially makes t the value of a variable at the start of the function.
func (l *lowerer) initially(v *logic.Var, t *logic.Term) {
	first := l.out.Blocks[0]
	first.Cmds = slices.Insert(first.Cmds, 0, ir.Cmd(&ir.Assign{Dst: v, Src: t}))
}

// callDeferred makes a deferred call, which may recover from a panic.
func (l *lowerer) callDeferred(run func() []Value, u *unwinding) {
	if !l.out.Recovers {
		run()
		return
	}
	l.storeVar(u.own, l.load(l.currentPanic()))
	l.assign(u.inside, l.b.True())
	l.store(l.currentPanic(), l.loadVar(u.panicking))
	run()
	l.storeVar(u.panicking, l.snapshot(l.load(l.currentPanic())))
	l.store(l.currentPanic(), l.loadVar(u.own))
	l.assign(u.inside, l.b.False())
}
