package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// declStmt lowers a declaration: var x, y = a, b evaluates a and b, then declares x and y.
func (l *lowerer) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		var vals []Value
		if len(s.Values) == 1 && len(s.Names) > 1 {
			vals = l.exprMulti(s.Values[0], len(s.Names))
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
			} else if !v.boxed { // a new object is zero
				l.storeVar(v, l.zero(t))
			}
		}
	}
}

// exprMulti evaluates an expression with n values: a call, or the comma-ok form of an index, type
// assertion or receive operation.
func (l *lowerer) exprMulti(e ast.Expr, n int) []Value {
	e = ast.Unparen(e)
	okValue := func(ok *logic.Term) Value { return tuple(types.Typ[types.Bool], ok) }
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

// assignOps maps the token of x op= y to op.
var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN:     token.ADD,
	token.SUB_ASSIGN:     token.SUB,
	token.MUL_ASSIGN:     token.MUL,
	token.QUO_ASSIGN:     token.QUO,
	token.REM_ASSIGN:     token.REM,
	token.AND_ASSIGN:     token.AND,
	token.OR_ASSIGN:      token.OR,
	token.XOR_ASSIGN:     token.XOR,
	token.SHL_ASSIGN:     token.SHL,
	token.SHR_ASSIGN:     token.SHR,
	token.AND_NOT_ASSIGN: token.AND_NOT,
}

// assignStmt lowers an assignment or a short variable declaration.
func (l *lowerer) assignStmt(s *ast.AssignStmt) {
	switch {
	case s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
		l.assignOp(s)
	case len(s.Lhs) == 1 && len(s.Rhs) == 1:
		l.assignOne(s.Lhs[0], s.Rhs[0], s.Tok == token.DEFINE)
	default:
		l.assignMany(s)
	}
}

// assignOp lowers x op= y. The location of x is evaluated once.
func (l *lowerer) assignOp(s *ast.AssignStmt) {
	op := assignOps[s.Tok]
	at := l.addr(s.Lhs[0])
	if op == token.SHL || op == token.SHR {
		l.store(at, l.shift(op, l.load(at), s.Rhs[0], s.TokPos))
		return
	}
	y := l.exprTo(s.Rhs[0], at.typ)
	l.store(at, l.arith(op, l.load(at), y, s.TokPos))
}

// assignMany lowers x, y = a, b and x, y := f():
//
//	evaluate the operands of x and y, such as p and i in p.f and s[i]
//	evaluate a and b, or f()
//	x := a
//	y := b
func (l *lowerer) assignMany(s *ast.AssignStmt) {
	places := make([]location, len(s.Lhs))
	fresh := make([]bool, len(s.Lhs)) // declared by this statement, or blank
	for i, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); ok {
			defined := s.Tok == token.DEFINE && l.pkg.Info.Defs[id] != nil
			fresh[i] = id.Name == "_" || defined
			if fresh[i] {
				continue
			}
		}
		places[i] = l.place(e)
	}
	var vals []Value
	if len(s.Rhs) == 1 {
		vals = l.exprMulti(s.Rhs[0], len(s.Lhs))
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
			if !places[i].blank {
				l.assignPlace(places[i], vals[i])
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

// assignOne lowers lhs = rhs or lhs := rhs.
func (l *lowerer) assignOne(lhs, rhs ast.Expr, define bool) {
	if id, ok := lhs.(*ast.Ident); ok {
		if id.Name == "_" {
			if !l.isNil(rhs) {
				model := l.model
				l.model = false // in a model, _ = x keeps the assertions of x
				l.expr(rhs)
				l.model = model
			}
			return
		}
		if o := l.pkg.Info.Defs[id]; define && o != nil {
			t := l.typ(o.Type())
			v := l.exprTo(rhs, t)
			if l.boxed[o] != 0 {
				v = l.snapshot(v)
			}
			l.storeVar(l.declare(o, t), v)
			return
		}
	}
	// The compiler makes calls first: they may change the operands of the location.
	if hasCall(l.pkg.Info, rhs) && !hasCall(l.pkg.Info, lhs) && !l.copiesKey(lhs) {
		v := l.snapshot(l.exprTo(rhs, l.typeOf(lhs)))
		l.store(l.addr(lhs), v)
		return
	}
	at := l.addr(lhs)
	v := l.exprTo(rhs, at.typ)
	if len(v.Leaves) > 1 {
		v = l.snapshot(v) // parts of the old value may be in the new one
	}
	l.store(at, v)
}

// copiesKey reports whether e is an entry of a map whose key the compiler copies before it makes calls:
// any but those for which the runtime has functions of their own (runtime.mapassign_fast64 and so on).
func (l *lowerer) copiesKey(e ast.Expr) bool {
	i, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	m, ok := l.typeOf(i.X).Underlying().(*types.Map)
	if !ok {
		return false
	}
	sizes := l.w.prog.Sizes
	fast := false
	switch u := m.Key().Underlying().(type) {
	case *types.Basic:
		n := sizes.Sizeof(u)
		fast = u.Info()&types.IsString != 0 || u.Info()&types.IsInteger != 0 && (n == 4 || n == 8)
	case *types.Pointer, *types.Chan:
		fast = true
	}
	return !fast || sizes.Sizeof(m.Elem()) > 128
}

// assignTo assigns values that have been evaluated, or declares variables with them.
func (l *lowerer) assignTo(lhs []ast.Expr, define bool, vals []Value) {
	places := make([]location, len(lhs))
	for i, e := range lhs {
		if id, ok := e.(*ast.Ident); !define && !(ok && id.Name == "_") {
			places[i] = l.place(e)
		}
	}
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
		at := places[i]
		if define {
			at = l.addr(e)
		}
		l.assignPlace(at, vals[i])
	}
}

// checked returns the number of conditions on the operands of a location: that the pointer which it
// is reached through is not nil, and that the indices from there on are in range.
func (l *lowerer) checked(e ast.Expr) int {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return 1
	case *ast.SelectorExpr:
		s := l.pkg.Info.Selections[e]
		if s == nil {
			return 0
		}
		if s.Indirect() {
			return 1
		}
		return l.checked(e.X)
	case *ast.IndexExpr:
		switch t := l.typeOf(e.X); {
		case pointee(t) != nil:
			return 2
		case isArray(t):
			return 1 + l.checked(e.X)
		}
		return 1
	}
	return 0
}

// place evaluates the operands of a location that is assigned later, such as p and i in p.f and s[i].
// That p is not nil, and i in range, is asserted then, by assignPlace: assignments before it happen.
func (l *lowerer) place(e ast.Expr) location {
	block, before := l.cur, len(l.cur.Cmds)
	at := l.addr(e)
	if at.obj == nil {
		return at
	}
	for n := l.checked(e); n > 0 && l.cur == block && len(l.cur.Cmds) > before; n-- {
		last := len(l.cur.Cmds) - 1
		a, ok := l.cur.Cmds[last].(*ir.Assert)
		if !ok {
			break
		}
		l.cur.Cmds = l.cur.Cmds[:last]
		at.checks = append([]*ir.Assert{a}, at.checks...)
	}
	for _, a := range at.checks {
		a.Cond = l.temp(a.Cond)
	}
	at.obj, at.slot = l.temp(at.obj), l.temp(at.slot)
	return at
}

// assignPlace assigns to a location that place evaluated.
func (l *lowerer) assignPlace(at location, v Value) {
	for _, a := range at.checks {
		l.emit(a)
	}
	l.store(at, l.assignable(v, at.typ))
}
