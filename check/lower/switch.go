package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// switchStmt lowers switch init; x { case a, b: A; default: D; case c: C }:
//
//	        init; tag := x
//	        if tag == a goto case0 else next0
//	next0:  if tag == b goto case0 else next1
//	next1:  if tag == c goto case2 else next2
//	next2:  goto case1
//	case0:  A; goto exit
//	case1:  D; goto exit
//	case2:  C; goto exit
//	exit:
//
// Without x, the cases are conditions. A case that ends in fallthrough jumps to the next case
// instead of exit.
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
				text := types.ExprString(s.Tag) + " == " + types.ExprString(e)
				l.branchAt(l.caseEqual(tag, e), bodies[i], next, e.Pos(), text)
			}
			l.start(next)
		}
	}
	l.jump(def)
	l.pushTarget(target{label: label, brk: exit})
	for i, c := range clauses {
		cc := c.(*ast.CaseClause)
		l.start(bodies[i])
		l.stmts(cc.Body)
		to := exit
		if n := len(cc.Body); n > 0 {
			if b, ok := cc.Body[n-1].(*ast.BranchStmt); ok &&
				b.Tok == token.FALLTHROUGH {
				to = bodies[i+1]
			}
		}
		l.jump(to)
	}
	l.popTarget()
	l.start(exit)
}

// caseEqual returns tag == e for a case of a switch.
func (l *lowerer) caseEqual(tag Value, e ast.Expr) *logic.Term {
	switch {
	case l.isNil(e):
		return l.isZero(tag)
	case types.IsInterface(tag.Type) && !types.IsInterface(l.typeOf(e)):
		return l.ifaceEqConcrete(tag, l.exprTo(e, types.Default(l.typeOf(e))), e.Pos())
	case !types.IsInterface(tag.Type) && types.IsInterface(l.typeOf(e)):
		return l.ifaceEqConcrete(l.expr(e), tag, e.Pos())
	}
	return l.compare(tag, l.exprTo(e, tag.Type), e.Pos())
}

// typeSwitchStmt lowers switch v := x.(type) { case S, T: A; default: D }:
//
//	        v := x
//	        if v holds S goto case0 else next0
//	next0:  if v holds T goto case0 else next1
//	next1:  goto case1
//	case0:  A; goto exit
//	case1:  D; goto exit
//	exit:
//
// Each case that has a variable declares it with its type.
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
	l.pushTarget(target{label: label, brk: exit})
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
	l.popTarget()
	l.start(exit)
}
