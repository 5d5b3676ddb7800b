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

// A function with defer statements ends in blocks that make the deferred calls, last one first. Control comes there
// by a return, or from any panic while the function or its callees run:
//
//	return:  panicking := nil; goto run
//	unwind:  (panicking is the panic's value); goto run
//	run:     for each deferred call, last one first:
//	           if deferred { deferred := false; current := panicking; call; panicking := current }
//	         if panicking != nil { unwind the caller } else { return }
//
// currentPanic is a hidden variable of the testee, in which recover finds the panic's value and takes it away.

// maxDeferred is how many pending calls of one defer statement in a loop are followed.
const maxDeferred = 3

// deferred is a defer statement: its calls are made when the function ends, if control came by.
type deferred struct {
	flag *logic.Var // there is a pending call
	run  func() []Value
	fn   *logic.Term // the function value that is called, if it is one
	// Of a statement in a loop: pending counts its calls, vars are the operands of the newest, and slots those of each.
	pending *logic.Var
	vars    []*logic.Var
	slots   [maxDeferred][]*logic.Var
	// bodies, if not nil, are calls that the body of a loop over a function defers; there are such if flag is set.
	loopDefers *rangeFuncDefers
}

func (l *lowerer) deferStmt(s *ast.DeferStmt) {
	if l.body != nil {
		l.deferInRangeFunc(s)
		return
	}
	inLoop := len(l.gotos) > 0
	for _, t := range l.targets {
		inLoop = inLoop || t.cont != nil
	}
	if l.mayRecover(s.Call) {
		l.out.Recovers = true
	}
	from := len(l.vars)
	l.deferredFn = nil
	d := &deferred{run: l.prepare(s.Call, true)}
	l.defers = append(l.defers, d)
	if !inLoop {
		d.flag = l.newVar(fmt.Sprintf("deferred%d", len(l.defers)), logic.Bool)
		l.assign(d.flag, l.b.True())
		d.fn = l.deferredFn
		return
	}
	d.vars = slices.Clone(l.vars[from:])
	d.pending = l.newVar(fmt.Sprintf("pending%d", len(l.defers)), logic.Int)
	n := l.b.Var(d.pending)
	for i := range d.slots {
		here := l.b.Eq(n, l.int(int64(i)))
		for _, v := range d.vars {
			slot := l.newVar(fmt.Sprintf("%s.%d", v.Name, i), v.Sort)
			d.slots[i] = append(d.slots[i], slot)
			l.assign(slot, l.b.Ite(here, l.b.Var(v), l.b.Var(slot)))
		}
	}
	l.bound(l.b.Cmp(logic.OpULt, n, l.int(maxDeferred)), "of a defer statement in a loop, 3 calls are followed")
	l.assign(d.pending, l.b.Add(n, l.int(1)))
}

// mayRecover says that a deferred call is one of a function that calls recover itself.
func (l *lowerer) mayRecover(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok {
		return callsRecover(l.pkg.Info, lit.Body)
	}
	f := l.staticCallee(fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok && f == nil {
		f, _ = l.pkg.Info.Uses[sel.Sel].(*types.Func)
	}
	if f == nil {
		return false
	}
	src := l.w.decls[f.Origin()]
	return src != nil && callsRecover(src.Pkg.Info, src.Decl.Body)
}

// anyType is the type of a panic's value.
var anyType = types.Universe.Lookup("any").Type()

// currentPanic is where the value of the panic stands that a deferred call may recover from.
func (em *emitter) currentPanic() location {
	at := memory(em.b.Const(logic.Obj, uint64(em.w.panicObj)), em.b.Const(logic.Slot, 0), anyType)
	at.class = "current panic"
	return at
}

// recoverCall is recover(): in a function that a defer statement called, the current panic's value, which is taken
// away; else nil.
func (em *emitter) recoverCall() Value {
	if em.out.ByDefer == nil {
		em.out.ByDefer = em.newVar("by defer", logic.Bool)
	}
	by := em.b.Var(em.out.ByDefer)
	cur := em.snapshot(em.load(em.currentPanic()))
	em.store(em.currentPanic(), em.choose(by, em.zero(anyType), cur))
	return em.choose(by, cur, em.zero(anyType))
}

// finish lowers the end of a body: the deferred calls, and the results.
func (l *lowerer) finish() {
	l.start(l.exit)
	if len(l.defers) > 0 {
		panicking := &variable{typ: anyType}
		for i, leaf := range l.w.Layout(anyType) {
			panicking.vars = append(panicking.vars, l.newVar(fmt.Sprintf("panicking.%d", i), leaf.Sort))
		}
		l.out.Panic = panicking.vars
		l.out.Unwound = l.newVar("unwound", logic.Bool)
		unwind, run := l.block(), l.block()
		l.storeVar(panicking, l.zero(anyType))
		l.assign(l.out.Unwound, l.b.False())
		l.jump(run)
		l.start(unwind)
		l.out.Unwind = unwind.Index
		l.assign(l.out.Unwound, l.b.True())
		l.jump(run)
		l.start(run)
		l.deferring = true
		for i := len(l.defers) - 1; i >= 0; i-- {
			l.runDeferred(l.defers[i], panicking)
		}
		l.deferring = false
		escape, ret := l.block(), l.block()
		l.branch(l.isZero(l.loadVar(panicking)), ret, escape)
		l.start(escape)
		l.cur.End = ir.Unwind{}
		l.start(ret)
	}
	var vals []Value
	for _, v := range l.results {
		vals = append(vals, l.loadVar(v))
	}
	l.setResults(vals)
}

// returnFrom asserts, where the function returns, that no deferred function is nil: Go places that panic there.
func (l *lowerer) returnFrom(pos token.Pos) {
	for _, d := range l.defers {
		if d.fn != nil {
			ok := l.b.Or(l.b.Not(l.b.Var(d.flag)), l.b.Not(l.b.Eq(d.fn, l.zeroLeaf(d.fn.Sort))))
			l.emit(&ir.Assert{Cond: ok, Kind: schemas.NilDeref, Pos: pos, Message: "a deferred function is nil", Ptr: d.fn})
		}
	}
	l.jump(l.exit)
}

// runDeferred makes the pending calls of a defer statement.
func (l *lowerer) runDeferred(d *deferred, panicking *variable) {
	l.deferredFn = d.fn
	first := l.out.Blocks[0]
	call := func(run func() []Value) {
		if !l.out.Recovers {
			run()
			return
		}
		saved := l.snapshot(l.load(l.currentPanic()))
		l.store(l.currentPanic(), l.loadVar(panicking))
		run()
		l.storeVar(panicking, l.snapshot(l.load(l.currentPanic())))
		l.store(l.currentPanic(), saved)
	}
	if d.flag != nil {
		first.Cmds = slices.Insert(first.Cmds, 0, ir.Cmd(&ir.Assign{Dst: d.flag, Src: l.b.False()}))
		do, next := l.block(), l.block()
		l.branch(l.b.Var(d.flag), do, next)
		l.start(do)
		if d.loopDefers != nil {
			l.runRangeFuncDefers(d.loopDefers, call)
		}
		l.assign(d.flag, l.b.False())
		if d.run != nil {
			call(d.run)
		}
		l.jump(next)
		l.start(next)
		return
	}
	first.Cmds = slices.Insert(first.Cmds, 0, ir.Cmd(&ir.Assign{Dst: d.pending, Src: l.int(0)}))
	for i := maxDeferred - 1; i >= 0; i-- {
		do, next := l.block(), l.block()
		l.branch(l.b.Cmp(logic.OpULt, l.int(int64(i)), l.b.Var(d.pending)), do, next)
		l.start(do)
		l.assign(d.pending, l.int(int64(i)))
		for j, v := range d.vars {
			l.assign(v, l.b.Var(d.slots[i][j]))
		}
		call(d.run)
		l.jump(next)
		l.start(next)
	}
}
