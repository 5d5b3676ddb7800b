package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

func (l *lowerer) stmts(list []ast.Stmt) {
	for _, s := range list {
		l.stmt(s)
	}
}

func (l *lowerer) stmt(s ast.Stmt) {
	label := l.label
	l.label = ""
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
		l.exprTo(s.Value, ch.Type.Underlying().(*types.Chan).Elem())
		l.send(ch.Leaves[0], s.Pos())

	case *ast.IncDecStmt:
		at := l.addr(s.X)
		v := l.load(at)
		one := Value{v.Type, []*logic.Term{l.b.Const(v.Leaves[0].Sort, 1)}}
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

func (l *lowerer) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		var vals []Value
		if len(s.Values) == 1 && len(s.Names) > 1 {
			vals = l.multi(s.Values[0], len(s.Names))
		} else {
			for i, e := range s.Values {
				var t types.Type
				if o := l.pkg.Info.Defs[s.Names[i]]; o != nil {
					t = l.typ(o.Type())
				} else {
					t = types.Default(l.typeOf(e))
				}
				vals = append(vals, l.snapshot(l.exprTo(e, t)))
			}
		}
		for i, name := range s.Names {
			o := l.pkg.Info.Defs[name]
			if o == nil || name.Name == "_" {
				continue
			}
			t := l.typ(o.Type())
			v := l.declare(o, t)
			if i < len(vals) {
				l.storeVar(v, l.assignable(vals[i], t))
			} else {
				l.storeVar(v, l.zero(t))
			}
		}
	}
}

// multi evaluates an expression with n values: a call, or the comma-ok form of an index, assertion or receive.
func (l *lowerer) multi(e ast.Expr, n int) []Value {
	e = ast.Unparen(e)
	okValue := func(ok *logic.Term) Value { return Value{types.Typ[types.Bool], []*logic.Term{ok}} }
	if n == 2 {
		switch e := e.(type) {
		case *ast.TypeAssertExpr:
			v, ok := l.typeAssert(e, true)
			return []Value{l.snapshot(v), okValue(ok)}
		case *ast.IndexExpr:
			v, ok := l.mapLoad(l.element(e))
			return []Value{l.snapshot(v), l.snapshot(okValue(ok))}
		case *ast.UnaryExpr:
			v, ok := l.receiveExpr(e)
			return []Value{v, okValue(ok)}
		}
	}
	vals := l.exprs(e)
	if len(vals) != n {
		panic(unsupportedf("%d values where %d are wanted", len(vals), n))
	}
	return vals
}

func (l *lowerer) assignStmt(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE { // x op= y
		op := map[token.Token]token.Token{
			token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
			token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
			token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
		}[s.Tok]
		at := l.addr(s.Lhs[0])
		if op == token.SHL || op == token.SHR {
			l.store(at, l.shift(op, l.load(at), s.Rhs[0], s.TokPos))
			return
		}
		y := l.exprTo(s.Rhs[0], at.typ)
		l.store(at, l.arith(op, l.load(at), y, s.TokPos))
		return
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		l.assignOne(s.Lhs[0], s.Rhs[0], s.Tok == token.DEFINE)
		return
	}
	// Operands on the left come before the values on the right, and all assignments after both.
	places := make([]location, len(s.Lhs))
	fresh := make([]bool, len(s.Lhs))
	for i, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); ok && (id.Name == "_" || s.Tok == token.DEFINE && l.pkg.Info.Defs[id] != nil) {
			fresh[i] = true
			continue
		}
		places[i] = l.addr(e)
		if places[i].obj != nil {
			places[i].obj, places[i].slot = l.temp(places[i].obj), l.temp(places[i].slot)
		}
	}
	var vals []Value
	if len(s.Rhs) == 1 {
		vals = l.multi(s.Rhs[0], len(s.Lhs))
	} else {
		for i, e := range s.Rhs {
			var t types.Type
			switch id, _ := s.Lhs[i].(*ast.Ident); {
			case id != nil && id.Name == "_":
				t = types.Default(l.typeOf(e))
			case fresh[i]:
				t = l.typ(l.pkg.Info.Defs[id].Type())
			default:
				t = places[i].typ
			}
			vals = append(vals, l.snapshot(l.exprTo(e, t)))
		}
	}
	for i, e := range s.Lhs {
		if !fresh[i] {
			if !places[i].isBlank {
				l.store(places[i], l.assignable(vals[i], places[i].typ))
			}
			continue
		}
		if id := e.(*ast.Ident); id.Name != "_" {
			o := l.pkg.Info.Defs[id]
			t := l.typ(o.Type())
			l.storeVar(l.declare(o, t), l.assignable(vals[i], t))
		}
	}
}

func (l *lowerer) assignOne(lhs, rhs ast.Expr, define bool) {
	if id, ok := lhs.(*ast.Ident); ok {
		if id.Name == "_" {
			if !l.isNil(rhs) {
				model := l.model
				l.model = false // in a model, this is how to say what the function demands
				l.expr(rhs)
				l.model = model
			}
			return
		}
		if o := l.pkg.Info.Defs[id]; define && o != nil {
			t := l.typ(o.Type())
			v := l.exprTo(rhs, t)
			if l.boxed[o] {
				v = l.snapshot(v)
			}
			l.storeVar(l.declare(o, t), v)
			return
		}
	}
	at := l.addr(lhs)
	v := l.exprTo(rhs, at.typ)
	if len(v.Leaves) > 1 {
		v = l.snapshot(v) // parts of the old value may be in the new one
	}
	l.store(at, v)
}

func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	results := l.results
	if l.body != nil {
		results = l.body.results
	}
	switch {
	case len(s.Results) == 1 && len(results) > 1:
		for i, v := range l.multi(s.Results[0], len(results)) {
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
		l.leaveBody(leftByReturn, false)
		return
	}
	l.leave(s.Pos())
}

func (l *lowerer) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	then, join := l.block(), l.block()
	els := join
	if s.Else != nil {
		els = l.block()
	}
	l.cond(s.Cond, then, els)
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

// cond branches on a condition; && and || become jumps.
func (l *lowerer) cond(e ast.Expr, then, els *ir.Block) {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LAND && !l.pure(x.Y) {
			right := l.block()
			l.cond(x.X, right, els)
			l.start(right)
			l.cond(x.Y, then, els)
			return
		}
		if x.Op == token.LOR && !l.pure(x.Y) {
			right := l.block()
			l.cond(x.X, then, right)
			l.start(right)
			l.cond(x.Y, then, els)
			return
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			l.cond(x.X, els, then)
			return
		}
	}
	l.branchAt(l.expr(e).Leaves[0], then, els, e.Pos(), types.ExprString(e))
}

func (l *lowerer) forStmt(s *ast.ForStmt, label string) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	head, body, post, exit := l.block(), l.block(), l.block(), l.block()
	l.jump(head)
	l.start(head)
	if s.Cond != nil {
		l.cond(s.Cond, body, exit)
	} else {
		l.jump(body)
	}
	l.start(body)
	l.targets = append(l.targets, target{label: label, brk: exit, cont: post})
	l.stmt(s.Body)
	l.targets = l.targets[:len(l.targets)-1]
	l.jump(post)
	l.start(post)
	l.freshLoopVars(s)
	if s.Post != nil {
		l.stmt(s.Post)
	}
	l.jump(head)
	l.endLoop(head)
	l.start(exit)
}

// freshLoopVars gives each iteration its own copy of the loop's variables, where they can be told apart (Go 1.22).
func (l *lowerer) freshLoopVars(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || l.oldLoops(s) {
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
		l.emit(&ir.Alloc{Var: v.obj.Var})
		l.clear(v.obj, v.typ)
		l.storeVar(v, val)
	}
}

func (l *lowerer) oldLoops(n ast.Node) bool {
	for _, f := range l.pkg.Files {
		if f.FileStart <= n.Pos() && n.Pos() < f.FileEnd {
			v := l.pkg.Info.FileVersions[f]
			return v != "" && olderThan(v, 22)
		}
	}
	return false
}

func olderThan(version string, minor int) bool {
	n := 0
	if _, err := fmt.Sscanf(version, "go1.%d", &n); err != nil {
		return false
	}
	return n < minor
}

// endLoop says that the blocks from head to the newest one are a loop.
func (l *lowerer) endLoop(head *ir.Block) {
	l.out.Loops[head.Index] = &ir.Loop{Head: head.Index, Last: len(l.out.Blocks) - 1}
}

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
				l.cond(e, bodies[i], next)
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
	l.comparable(tag, v, e.Pos())
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
