package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

func (l *lowerer) switchStmt(s *ast.SwitchStmt, label string) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	var tag Value
	if s.Tag != nil {
		tag = l.snapshot(l.expr(s.Tag))
	}
	exit := l.block()
	clauses := s.Body.List
	bodies := make([]*ir.Block, len(clauses))
	for i := range clauses {
		bodies[i] = l.block()
	}
	def := exit
	for i, c := range clauses {
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			def = bodies[i]
			continue
		}
		for _, e := range cc.List {
			next := l.block()
			if s.Tag == nil {
				l.branchOn(e, bodies[i], next)
			} else {
				l.branchAt(l.caseEqual(tag, e), bodies[i], next, e.Pos(), types.ExprString(s.Tag)+" == "+types.ExprString(e))
			}
			l.start(next)
		}
	}
	l.jump(def)
	l.targets = append(l.targets, target{label: label, brk: exit})
	for i, c := range clauses {
		cc := c.(*ast.CaseClause)
		l.start(bodies[i])
		l.stmts(cc.Body)
		to := exit
		if n := len(cc.Body); n > 0 {
			if b, ok := cc.Body[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				to = bodies[i+1]
			}
		}
		l.jump(to)
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.start(exit)
}

// caseEqual compares a switch's value with a case's.
func (l *lowerer) caseEqual(tag Value, e ast.Expr) *logic.Term {
	switch {
	case l.isNil(e):
		return l.isZero(tag)
	case types.IsInterface(tag.Type) && !types.IsInterface(l.typeOf(e)):
		return l.ifaceEqConcrete(tag, l.exprTo(e, types.Default(l.typeOf(e))))
	case !types.IsInterface(tag.Type) && types.IsInterface(l.typeOf(e)):
		return l.ifaceEqConcrete(l.expr(e), tag)
	}
	v := l.exprTo(e, tag.Type)
	l.assertComparable(tag, v, e.Pos())
	return l.equal(tag, v)
}

func (l *lowerer) typeSwitchStmt(s *ast.TypeSwitchStmt, label string) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0]
	case *ast.ExprStmt:
		x = a.X
	}
	v := l.snapshot(l.expr(ast.Unparen(x).(*ast.TypeAssertExpr).X))
	exit := l.block()
	bodies := make([]*ir.Block, len(s.Body.List))
	def := exit
	for i, c := range s.Body.List {
		bodies[i] = l.block()
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			def = bodies[i]
		}
		for _, e := range cc.List {
			next := l.block()
			is := l.isZero(v)
			if !l.isNil(e) {
				is = l.hasType(v, l.typeOf(e))
			}
			l.branchAt(is, bodies[i], next, e.Pos(), "the type is "+types.ExprString(e))
			l.start(next)
		}
	}
	l.jump(def)
	l.targets = append(l.targets, target{label: label, brk: exit})
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		l.start(bodies[i])
		if o := l.pkg.Info.Implicits[cc]; o != nil {
			t := l.typ(o.Type())
			val := Value{t, v.Leaves}
			if !types.IsInterface(t) {
				val = l.fromInterface(v, t)
			}
			l.storeVar(l.declare(o, t), val)
		}
		l.stmts(cc.Body)
		l.jump(exit)
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.start(exit)
}
