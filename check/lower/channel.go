package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// A channel is an object; whether it is closed is in a memory. What is received is any value, and an operation that
// Go would block in is left out: it panics no more.

// ChanClosed is the memory that says which channels are closed.
func (w *World) ChanClosed() *logic.Var {
	return w.special("channel closed", logic.Bool, logic.Domain{Role: logic.RoleClosed})
}

func (l *lowerer) isClosed(ch *logic.Term) *logic.Term {
	return l.b.Select(l.b.Var(l.w.ChanClosed()), ch, l.b.Const(logic.Slot, 0))
}

func (l *lowerer) setClosed(ch, closed *logic.Term) {
	m := l.w.ChanClosed()
	l.assign(m, l.b.Store(l.b.Var(m), ch, l.b.Const(logic.Slot, 0), closed))
}

func (l *lowerer) makeChan(n *logic.Term, elem types.Type, pos token.Pos) *logic.Term {
	if n != nil {
		limit := l.int(maxAlloc / max(l.w.prog.Sizes.Sizeof(elem), 1))
		l.assert(l.b.Cmp(logic.OpULe, n, limit), schemas.MakeSlice, pos, "the size of the channel is out of range")
	}
	ch := l.newObject()
	l.setClosed(ch, l.b.False())
	return ch
}

// send is ch <- v, without the value, which is not followed: a nil channel blocks, a closed one panics.
func (l *lowerer) send(ch *logic.Term, pos token.Pos) {
	l.assume(l.b.Not(l.b.Eq(ch, l.zeroLeaf(logic.Obj))))
	l.assert(l.b.Not(l.isClosed(ch)), schemas.Chan, pos, "send on a closed channel")
}

// receive is <-ch with the comma-ok form's second value: a nil channel blocks, a closed one may give zero and false.
func (l *lowerer) receive(ch *logic.Term, elem types.Type) (Value, *logic.Term) {
	l.assume(l.b.Not(l.b.Eq(ch, l.zeroLeaf(logic.Obj))))
	okVars, vars := l.w.InputVars("received ok", types.Typ[types.Bool]), l.w.InputVars("received", elem)
	all := append(okVars, vars...)
	for _, v := range all {
		l.own(v)
	}
	l.emit(&ir.Havoc{Vars: all, Chan: ch, Elem: elem})
	ok, v := l.b.Var(okVars[0]), l.valueOf(elem, vars)
	l.assume(l.b.Or(ok, l.isClosed(ch)))
	return l.snapshot(l.choose(ok, v, l.zero(elem))), ok
}

func (l *lowerer) receiveExpr(e *ast.UnaryExpr) (Value, *logic.Term) {
	ch := l.snapshot(l.expr(e.X))
	return l.receive(ch.Leaves[0], ch.Type.Underlying().(*types.Chan).Elem())
}

func (l *lowerer) closeCall(ch *logic.Term, pos token.Pos) {
	l.assert(l.b.Not(l.b.Eq(ch, l.zeroLeaf(logic.Obj))), schemas.Chan, pos, "close of a nil channel")
	l.assert(l.b.Not(l.isClosed(ch)), schemas.Chan, pos, "close of a closed channel")
	l.setClosed(ch, l.b.True())
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

// assignTo gives values to the left sides of an assignment or definition.
func (l *lowerer) assignTo(lhs []ast.Expr, define bool, vals []Value) {
	for i, e := range lhs {
		id, isIdent := e.(*ast.Ident)
		if isIdent && id.Name == "_" {
			continue
		}
		if isIdent && define {
			if o := l.pkg.Info.Defs[id]; o != nil {
				t := l.typ(o.Type())
				l.storeVar(l.declare(o, t), l.assignable(vals[i], t))
				continue
			}
		}
		at := l.addr(e)
		l.store(at, l.assignable(vals[i], at.typ))
	}
}

// goStmt evaluates a call's operands and lets the call write what it can reach: when it does is not followed.
func (l *lowerer) goStmt(s *ast.GoStmt) {
	run := l.prepare(s.Call, true)
	l.spawning = true
	run()
	l.spawning = false
}
