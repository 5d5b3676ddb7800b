package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// A channel is an object, and one memory says whether it is closed. Sent values are not tracked: a
// received value is any value. An operation that blocks in Go ends the execution, which therefore
// does not panic any more.

// isClosed returns the condition that channel ch is closed.
func (em *emitter) isClosed(ch *logic.Term) *logic.Term {
	return em.b.Select(em.b.Var(em.w.ChanClosed()), ch, em.slot0())
}

// setClosed stores whether channel ch is closed.
func (em *emitter) setClosed(ch, closed *logic.Term) {
	m := em.w.ChanClosed()
	em.assign(m, em.b.Store(em.b.Var(m), ch, em.slot0(), closed))
}

// makeChan returns a new channel for n elements, or without a buffer if n is nil.
func (em *emitter) makeChan(n *logic.Term, elem types.Type, pos token.Pos) *logic.Term {
	if n != nil {
		limit := em.int(maxAlloc / max(em.w.prog.Sizes.Sizeof(elem), 1))
		em.assert(em.b.Cmp(logic.OpULe, n, limit), schemas.MakeSlice, pos,
			"the size of the channel is out of range")
	}
	ch := em.newObject()
	em.setClosed(ch, em.b.False())
	return ch
}

// send lowers ch <- v for a value that has been evaluated:
//
//	assume ch != nil
//	assert !closed[ch]
func (em *emitter) send(ch *logic.Term, pos token.Pos) {
	em.assume(em.b.Not(em.b.Eq(ch, em.nilObj())))
	em.assert(em.b.Not(em.isClosed(ch)), schemas.Chan, pos, "send on a closed channel")
}

// receive lowers v, ok = <-ch:
//
//	assume ch != nil
//	havoc ok, v
//	assume ok || closed[ch]
//	v := ok ? v : 0
func (em *emitter) receive(ch *logic.Term, elem types.Type) (Value, *logic.Term) {
	em.assume(em.b.Not(em.b.Eq(ch, em.nilObj())))
	okVars := em.w.InputVars("received ok", types.Typ[types.Bool])
	vars := em.w.InputVars("received", elem)
	all := append(okVars, vars...)
	for _, v := range all {
		em.addVar(v)
	}
	em.emit(&ir.Havoc{Vars: all, Chan: ch, Elem: elem})
	ok, v := em.b.Var(okVars[0]), em.valueOf(elem, vars)
	em.assume(em.b.Or(ok, em.isClosed(ch)))
	return em.snapshot(em.choose(ok, v, em.zero(elem))), ok
}

// closeCall lowers close(ch).
func (em *emitter) closeCall(ch *logic.Term, pos token.Pos) {
	em.assert(em.b.Not(em.b.Eq(ch, em.nilObj())), schemas.Chan, pos, "close of a nil channel")
	em.assert(em.b.Not(em.isClosed(ch)), schemas.Chan, pos, "close of a closed channel")
	em.setClosed(ch, em.b.True())
}

// receiveExpr lowers the expression <-x.
func (l *lowerer) receiveExpr(e *ast.UnaryExpr) (Value, *logic.Term) {
	ch := l.snapshot(l.expr(e.X))
	return l.receive(ch.Leaves[0], chanElem(ch))
}

// chanElem returns the element type of a channel.
func chanElem(ch Value) types.Type { return ch.Type.Underlying().(*types.Chan).Elem() }

// selectStmt lowers
//
//	select { case <-a: A; case b <- v: B; default: D }
//
// to
//
//	evaluate a, b and v
//	havoc choice
//	if choice == 0 && a != nil goto case0 else next0
//	next0: if choice == 1 && b != nil goto case1 else next1
//	next1: goto case2
//	case0: receive from a; A; goto exit
//	case1: send to b;      B; goto exit
//	case2: D; goto exit
//	exit:
//
// Without a default clause, the last block stops: no case is ready.
func (l *lowerer) selectStmt(s *ast.SelectStmt, label string) {
	exit := l.block()
	clauses := s.Body.List
	chans := make([]Value, len(clauses)) // none for the default clause
	for i, c := range clauses {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			chans[i] = l.snapshot(l.expr(comm.Chan))
			l.exprTo(comm.Value, chanElem(chans[i]))
		case *ast.ExprStmt:
			chans[i] = l.snapshot(l.expr(ast.Unparen(comm.X).(*ast.UnaryExpr).X))
		case *ast.AssignStmt:
			chans[i] = l.snapshot(l.expr(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X))
		}
	}
	bodies := make([]*ir.Block, len(clauses))
	choice := l.havoc("case", types.Typ[types.Int]).Leaves[0]
	byDefault := -1
	for i := range clauses {
		bodies[i] = l.block()
		if len(chans[i].Leaves) == 0 {
			byDefault = i
			continue
		}
		next := l.block()
		notNil := l.b.Not(l.b.Eq(chans[i].Leaves[0], l.nilObj()))
		l.branch(l.b.And(l.b.Eq(choice, l.int(int64(i))), notNil), bodies[i], next)
		l.start(next)
	}
	if byDefault >= 0 {
		l.jump(bodies[byDefault])
	} else {
		l.stop()
	}
	l.pushTarget(target{label: label, brk: exit})
	for i, c := range clauses {
		cc := c.(*ast.CommClause)
		l.start(bodies[i])
		switch comm := cc.Comm.(type) {
		case *ast.SendStmt:
			l.send(chans[i].Leaves[0], s.Pos())
		case *ast.ExprStmt:
			l.receive(chans[i].Leaves[0], chanElem(chans[i]))
		case *ast.AssignStmt:
			v, ok := l.receive(chans[i].Leaves[0], chanElem(chans[i]))
			vals := []Value{v, tuple(types.Typ[types.Bool], ok)}
			l.assignTo(comm.Lhs, comm.Tok == token.DEFINE, vals)
		}
		l.stmts(cc.Body)
		l.jump(exit)
	}
	l.popTarget()
	l.start(exit)
}
