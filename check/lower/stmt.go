package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// stmts lowers a list of statements.
func (l *lowerer) stmts(list []ast.Stmt) {
	for _, s := range list {
		l.stmt(s)
	}
}

// stmt lowers a statement.
func (l *lowerer) stmt(s ast.Stmt) {
	label := l.takeLabel()
	switch s := s.(type) {
	case *ast.BadStmt, *ast.EmptyStmt:

	case *ast.DeclStmt:
		l.declStmt(s.Decl.(*ast.GenDecl))

	case *ast.LabeledStmt:
		l.labeledStmt(s)

	case *ast.ExprStmt:
		switch e := ast.Unparen(s.X).(type) {
		case *ast.CallExpr:
			l.call(e)
		default:
			l.expr(s.X)
		}

	case *ast.SendStmt:
		ch := l.snapshot(l.expr(s.Chan))
		v := l.snapshot(l.exprTo(s.Value, chanElem(ch)))
		l.send(ch.Leaves[0], v, s.Pos())

	case *ast.IncDecStmt:
		at := l.addr(s.X)
		v := l.load(at)
		one := tuple(v.Type, l.b.Const(v.Leaves[0].Sort, 1))
		if v.Leaves[0].Sort.Kind == logic.KFloat {
			one = l.constant(constant.MakeInt64(1), v.Type)
		}
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		l.store(at, l.arith(op, v, one, s.TokPos))

	case *ast.AssignStmt:
		l.assignStmt(s)

	case *ast.GoStmt:
		l.goStmt(s)

	case *ast.DeferStmt:
		l.deferStmt(s)

	case *ast.ReturnStmt:
		l.returnStmt(s)

	case *ast.BranchStmt:
		l.branchStmt(s)

	case *ast.BlockStmt:
		l.stmts(s.List)

	case *ast.IfStmt:
		l.ifStmt(s)

	case *ast.SwitchStmt:
		l.switchStmt(s, label)

	case *ast.TypeSwitchStmt:
		l.typeSwitchStmt(s, label)

	case *ast.SelectStmt:
		l.selectStmt(s, label)

	case *ast.ForStmt:
		l.forStmt(s, label)

	case *ast.RangeStmt:
		l.rangeStmt(s, label)

	default:
		panic(unsupportedf("%T", s))
	}
}

// returnStmt lowers return x, y:
//
//	results := x, y; goto exit
//
// A return in the body of a loop over a function sets the results of the function around the loop.
func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	results := l.results
	if l.body != nil {
		results = l.body.results
	}
	switch {
	case len(s.Results) == 1 && len(results) > 1:
		for i, v := range l.exprMulti(s.Results[0], len(results)) {
			l.storeVar(results[i], l.snapshot(l.assignable(v, results[i].typ)))
		}
	case len(s.Results) > 0:
		var vals []Value
		for i, e := range s.Results {
			vals = append(vals, l.snapshot(l.exprTo(e, results[i].typ)))
		}
		for i, v := range vals {
			l.storeVar(results[i], v)
		}
	}
	if l.body != nil {
		l.endPass(leftByReturn, false)
		return
	}
	l.returnFrom(s.Pos())
}

// ifStmt lowers if init; c { A } else { B }:
//
//	       init; if c goto then else else
//	then:  A; goto join
//	else:  B; goto join
//	join:
func (l *lowerer) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	then, join := l.block(), l.block()
	els := join
	if s.Else != nil {
		els = l.block()
	}
	l.branchOn(s.Cond, then, els)
	l.start(then)
	l.stmt(s.Body)
	l.jump(join)
	if s.Else != nil {
		l.start(els)
		l.stmt(s.Else)
		l.jump(join)
	}
	l.start(join)
}

// branchOn ends the current block with branches on a condition. x && y becomes
//
//	       if x goto right else els
//	right: if y goto then else els
//
// and x || y, !x accordingly. If evaluating y emits no command, one branch suffices.
func (l *lowerer) branchOn(e ast.Expr, then, els *ir.Block) {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LAND && !l.pure(x.Y) {
			right := l.block()
			l.branchOn(x.X, right, els)
			l.start(right)
			l.branchOn(x.Y, then, els)
			return
		}
		if x.Op == token.LOR && !l.pure(x.Y) {
			right := l.block()
			l.branchOn(x.X, then, right)
			l.start(right)
			l.branchOn(x.Y, then, els)
			return
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			l.branchOn(x.X, els, then)
			return
		}
	}
	l.compared = nil
	cond := l.expr(e).Leaves[0]
	l.branchComparing(cond, l.compared, then, els, e.Pos(), types.ExprString(e))
}

// forStmt lowers for init; c; p { body }:
//
//	       init; goto head
//	head:  if c goto body else exit
//	body:  body; goto post
//	post:  copy the loop variables; p; goto head
//	exit:
func (l *lowerer) forStmt(s *ast.ForStmt, label string) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	head, body, exit := l.block(), l.block(), l.block()
	l.jump(head)
	l.start(head)
	if s.Cond != nil {
		l.branchOn(s.Cond, body, exit)
	} else {
		l.jump(body)
	}
	l.start(body)
	l.loopBody(s.Body, label, head, exit, func() {
		l.copyLoopVars(s)
		if s.Post != nil {
			l.stmt(s.Post)
		}
	})
}

// copyLoopVars gives the next iteration its own copies of the loop variables, as since Go 1.22.
// Only boxed variables have to be copied: nothing else can tell the copies apart.
func (l *lowerer) copyLoopVars(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || l.sharesLoopVars(s) {
		return
	}
	for _, e := range init.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok {
			continue
		}
		v := l.locals[l.pkg.Info.Defs[id]]
		if v == nil || !v.boxed || v.obj.Op != logic.OpVar {
			continue
		}
		val := l.snapshot(l.loadVar(v))
		l.emit(l.allocation(v.obj.Var, v.typ))
		l.clear(v.obj, v.typ)
		l.storeVar(v, val)
	}
}
