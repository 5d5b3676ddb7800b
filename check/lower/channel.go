package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

func (em *emitter) isClosed(ch *logic.Term) *logic.Term {
	return em.b.Select(em.b.Var(em.w.ChanClosed()), ch, em.b.Const(logic.Slot, 0))
}

func (em *emitter) setClosed(ch, closed *logic.Term) {
	m := em.w.ChanClosed()
	em.assign(m, em.b.Store(em.b.Var(m), ch, em.b.Const(logic.Slot, 0), closed))
}

func (em *emitter) makeChan(n *logic.Term, elem types.Type, pos token.Pos) *logic.Term {
	if n != nil {
		limit := em.int(maxAlloc / max(em.w.prog.Sizes.Sizeof(elem), 1))
		em.assert(em.b.Cmp(logic.OpULe, n, limit), schemas.MakeSlice, pos, "the size of the channel is out of range")
	}
	ch := em.newObject()
	em.setClosed(ch, em.b.False())
	return ch
}

// send is ch <- v, without the value, which is not followed: a nil channel blocks, a closed one panics.
func (em *emitter) send(ch *logic.Term, pos token.Pos) {
	em.assume(em.b.Not(em.b.Eq(ch, em.zeroLeaf(logic.Obj))))
	em.assert(em.b.Not(em.isClosed(ch)), schemas.Chan, pos, "send on a closed channel")
}

// receive is <-ch with the comma-ok form's second value: a nil channel blocks, a closed one may give zero and false.
func (em *emitter) receive(ch *logic.Term, elem types.Type) (Value, *logic.Term) {
	em.assume(em.b.Not(em.b.Eq(ch, em.zeroLeaf(logic.Obj))))
	okVars, vars := em.w.InputVars("received ok", types.Typ[types.Bool]), em.w.InputVars("received", elem)
	all := append(okVars, vars...)
	for _, v := range all {
		em.addVar(v)
	}
	em.emit(&ir.Havoc{Vars: all, Chan: ch, Elem: elem})
	ok, v := em.b.Var(okVars[0]), em.valueOf(elem, vars)
	em.assume(em.b.Or(ok, em.isClosed(ch)))
	return em.snapshot(em.choose(ok, v, em.zero(elem))), ok
}

func (em *emitter) closeCall(ch *logic.Term, pos token.Pos) {
	em.assert(em.b.Not(em.b.Eq(ch, em.zeroLeaf(logic.Obj))), schemas.Chan, pos, "close of a nil channel")
	em.assert(em.b.Not(em.isClosed(ch)), schemas.Chan, pos, "close of a closed channel")
	em.setClosed(ch, em.b.True())
}

func (l *lowerer) receiveExpr(e *ast.UnaryExpr) (Value, *logic.Term) {
	ch := l.snapshot(l.expr(e.X))
	return l.receive(ch.Leaves[0], ch.Type.Underlying().(*types.Chan).Elem())
}

// selectStmt evaluates the operands of all cases in order, then takes any case.
func (l *lowerer) selectStmt(s *ast.SelectStmt, label string) {
	exit := l.block()
	clauses := s.Body.List
	chans := make([]Value, len(clauses))
	for i, c := range clauses {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			chans[i] = l.snapshot(l.expr(comm.Chan))
			l.exprTo(comm.Value, chans[i].Type.Underlying().(*types.Chan).Elem())
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
		notNil := l.b.Not(l.b.Eq(chans[i].Leaves[0], l.zeroLeaf(logic.Obj)))
		l.branch(l.b.And(l.b.Eq(choice, l.int(int64(i))), notNil), bodies[i], next)
		l.start(next)
	}
	if byDefault >= 0 {
		l.jump(bodies[byDefault])
	} else {
		l.stop() // no case is ready
	}
	l.targets = append(l.targets, target{label: label, brk: exit})
	for i, c := range clauses {
		cc := c.(*ast.CommClause)
		l.start(bodies[i])
		switch comm := cc.Comm.(type) {
		case *ast.SendStmt:
			l.send(chans[i].Leaves[0], s.Pos())
		case *ast.ExprStmt:
			l.receive(chans[i].Leaves[0], chans[i].Type.Underlying().(*types.Chan).Elem())
		case *ast.AssignStmt:
			v, ok := l.receive(chans[i].Leaves[0], chans[i].Type.Underlying().(*types.Chan).Elem())
			l.assignTo(comm.Lhs, comm.Tok == token.DEFINE, []Value{v, {types.Typ[types.Bool], []*logic.Term{ok}}})
		}
		l.stmts(cc.Body)
		l.jump(exit)
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.start(exit)
}
