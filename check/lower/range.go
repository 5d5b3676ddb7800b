package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// loopBody lowers the body s of a loop and what follows it:
//
//	(body) s; goto post
//	post:  post; goto head
//	exit:
//
// The caller has started the body's block. If post is nil, there is no post block, and continue
// jumps to head.
func (l *lowerer) loopBody(s ast.Stmt, label string, head, exit *ir.Block, post func()) {
	cont := head
	if post != nil {
		cont = l.block()
	}
	l.pushTarget(target{label: label, brk: exit, cont: cont})
	l.stmt(s)
	l.popTarget()
	l.jump(cont)
	if post != nil {
		l.start(cont)
		post()
		l.jump(head)
	}
	l.endLoop(head)
	l.start(exit)
}

// rangeStmt lowers for k, v := range x { body }. What that becomes depends on the type of x:
//
//	integer, slice, array   countingLoop
//	string                  rangeString
//	map                     rangeMap
//	channel                 rangeChan
//	function                rangeFunc
func (l *lowerer) rangeStmt(s *ast.RangeStmt, label string) {
	if id, ok := s.Value.(*ast.Ident); ok && id.Name == "_" { // as if it were left out
		without := *s
		without.Value = nil
		s = &without
	}
	xt := l.typeOf(s.X)
	switch u := xt.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			l.rangeString(s, label)
			return
		}
		t := xt
		if s.Key != nil {
			t = l.typeOf(s.Key)
		}
		n := l.snapshot(l.exprTo(s.X, types.Default(t)))
		l.countingLoop(s, label, n.Leaves[0], isSigned(n.Type),
			func(i *logic.Term) []Value {
				return []Value{tuple(n.Type, i)}
			})

	case *types.Slice:
		x := l.snapshot(l.expr(s.X))
		l.countingLoop(s, label, x.Leaves[2], true, func(i *logic.Term) []Value {
			return l.indexAndElem(s, x.Leaves[0], x.Leaves[1], i, u.Elem())
		})

	case *types.Array:
		if s.Value == nil { // only the length counts, and x is evaluated only if it is not constant
			if hasCall(l.pkg.Info, s.X) {
				l.expr(s.X)
			}
			l.countingLoop(s, label, l.int(u.Len()), true, func(i *logic.Term) []Value {
				return []Value{l.intValue(i)}
			})
			return
		}
		at := l.addr(s.X)
		copied := memory(l.alloc(xt), l.slot0(), xt) // the loop is over a copy
		l.store(copied, l.load(at))
		l.rangeArray(s, label, copied, u)

	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		p := l.expr(s.X)
		if s.Value == nil { // only the length counts, and a nil pointer is allowed
			l.countingLoop(s, label, l.int(a.Len()), true, func(i *logic.Term) []Value {
				return []Value{l.intValue(i)}
			})
			return
		}
		l.rangeArray(s, label, l.deref(p, s.X.Pos()), a)

	case *types.Map:
		l.rangeMap(s, label, u)

	case *types.Chan:
		l.rangeChan(s, label, u)

	case *types.Signature:
		l.rangeFunc(s, label, u)

	default:
		panic(unsupportedf("range over %s", xt))
	}
}

// hasCall reports whether an expression has a call of a function that is not built in, or a receive
// operation: then the length of an array is no constant.
func hasCall(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// countingLoop lowers a loop that counts from 0 to n-1:
//
//	       i := 0; goto head
//	head:  if i < n goto body else exit
//	body:  k, v := values(i); body; goto post
//	post:  i := i + 1; goto head
//	exit:
//
// signed says how i and n are compared.
func (l *lowerer) countingLoop(s *ast.RangeStmt, label string, n *logic.Term, signed bool,
	values func(i *logic.Term) []Value) {
	l.countingLoopWhile(s, label, n, signed, l.b.True, values)
}

// countingLoopWhile is a countingLoop that ends early once more, which is evaluated at the head, does
// not hold.
func (l *lowerer) countingLoopWhile(s *ast.RangeStmt, label string, n *logic.Term, signed bool,
	more func() *logic.Term, values func(i *logic.Term) []Value) {
	iv := l.newVar("i", n.Sort)
	l.assign(iv, l.b.Const(n.Sort, 0))
	i := l.b.Var(iv)
	head, body, exit := l.block(), l.block(), l.block()
	l.jump(head)
	l.start(head)
	op := logic.OpULt
	if signed {
		op = logic.OpSLt
	}
	l.branchAt(l.b.And(l.b.Cmp(op, i, n), more()), body, exit, s.Pos(), anotherPass(s))
	l.start(body)
	l.bindLoopVars(s, values(i))
	l.loopBody(s.Body, label, head, exit, func() {
		l.assign(iv, l.b.Add(i, l.b.Const(n.Sort, 1)))
	})
}

// anotherPass returns the text of the condition that a range loop continues.
func anotherPass(s *ast.RangeStmt) string { return "another pass over " + types.ExprString(s.X) }

// bindLoopVars gives the key and value variables of a loop their values for a pass.
func (l *lowerer) bindLoopVars(s *ast.RangeStmt, vals []Value) {
	var lhs []ast.Expr
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && len(lhs) < len(vals) {
			lhs = append(lhs, e)
		}
	}
	l.assignTo(lhs, s.Tok == token.DEFINE, vals)
}

// rangeArray lowers a loop over the array at a location.
func (l *lowerer) rangeArray(s *ast.RangeStmt, label string, at location, a *types.Array) {
	l.countingLoop(s, label, l.int(a.Len()), true, func(i *logic.Term) []Value {
		return l.indexAndElem(s, at.obj, at.slot, i, a.Elem())
	})
}

// indexAndElem returns i and element i of an array that begins at a slot of obj. The element is
// read only if the loop uses it.
func (l *lowerer) indexAndElem(s *ast.RangeStmt, obj, slot, i *logic.Term,
	elem types.Type) []Value {
	at := memory(obj, l.elemSlot(slot, i, elem), elem)
	var v Value
	if s.Value != nil {
		v = l.load(at)
	}
	return []Value{l.intValue(i), v}
}

// rangeMap lowers a loop over a map, which visits the keys in any order:
//
//	n := len(m); seen := no keys
//	for i := 0; i < n && len(m) > 0 && (len(m) >= n || any bool); i++ {
//	        havoc key; assume key in m and not in seen; seen[key] := true
//	        k, v := key, m[key]; body
//	}
//
// If the body deletes entries, the loop may end early: which of them it had visited is not counted.
// Entries that the body adds may be visited, as in Go.
func (l *lowerer) rangeMap(s *ast.RangeStmt, label string, m *types.Map) {
	x := l.snapshot(l.expr(s.X))
	obj := x.Leaves[0]
	n := l.temp(l.mapLen(obj))
	seen, visited := l.newObject(), l.w.mapSeen(m)
	l.assign(visited, l.b.Fill(l.b.Var(visited), seen, l.b.False()))
	more := func() *logic.Term {
		now := l.temp(l.mapLen(obj))
		shrunk := l.b.Cmp(logic.OpSLt, now, n)
		if shrunk.IsFalse() {
			return l.b.True()
		}
		other := l.havoc("unvisited", types.Typ[types.Bool]).Leaves[0]
		return l.b.And(l.b.Not(l.b.Eq(now, l.int(0))), l.b.Or(l.b.Not(shrunk), other))
	}
	if !l.deletes(s.Body) {
		more = l.b.True
	}
	l.countingLoopWhile(s, label, n, true, more, func(*logic.Term) []Value {
		key := l.havoc("key", m.Key())
		at := location{typ: m.Elem(), m: m, mapObj: obj, mapKey: key}
		k := l.keyIn(m, obj, key, token.NoPos)
		v, ok := l.mapEntry(at, k)
		l.assume(l.b.And(ok, l.b.Not(l.b.Select(l.b.Var(visited), seen, k))))
		l.assign(visited, l.b.Store(l.b.Var(visited), seen, k, l.b.True()))
		return []Value{key, v}
	})
}

// deletes reports whether the body of a loop over a map may delete entries: it calls delete, clear or
// a function.
func (l *lowerer) deletes(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			b := l.builtinOf(ast.Unparen(c.Fun))
			found = found || b == nil && !l.pkg.Info.Types[c.Fun].IsType() ||
				b != nil && (b.Name() == "delete" || b.Name() == "clear")
		}
		return !found
	})
	return found
}

// rangeString lowers a loop over the runes of a string:
//
//	       i := 0; goto head
//	head:  if i < len(x) goto body else exit
//	body:  r, step := the rune at x[i:] and its width; k, v := i, r; body; goto post
//	post:  i := i + step; goto head
//	exit:
func (l *lowerer) rangeString(s *ast.RangeStmt, label string) {
	x := l.snapshot(l.expr(s.X))
	iv := l.newVar("i", logic.Int)
	step := l.newVar("step", logic.Int)
	l.assign(iv, l.int(0))
	i := l.b.Var(iv)
	head, body, exit := l.block(), l.block(), l.block()
	l.jump(head)
	l.start(head)
	l.branchAt(l.b.Cmp(logic.OpSLt, i, x.Leaves[2]), body, exit, s.Pos(), anotherPass(s))
	l.start(body)
	r, n := l.decodeRune(x, i)
	r = l.temp(r)
	l.assign(step, n)
	l.bindLoopVars(s, []Value{l.intValue(i), tuple(types.Typ[types.Rune], r)})
	l.loopBody(s.Body, label, head, exit, func() {
		l.assign(iv, l.b.Add(i, l.b.Var(step)))
	})
}

// rangeChan lowers a loop over a channel:
//
//	head:  v, ok := <-ch; if ok goto body else exit
//	body:  body; goto head
//	exit:
func (l *lowerer) rangeChan(s *ast.RangeStmt, label string, u *types.Chan) {
	ch := l.snapshot(l.expr(s.X))
	l.assume(l.b.Not(l.b.Eq(ch.Leaves[0], l.nilObj())))
	head, body, exit := l.block(), l.block(), l.block()
	l.jump(head)
	l.start(head)
	v, ok := l.receive(ch.Leaves[0], u.Elem())
	l.branch(ok, body, exit)
	l.start(body)
	l.bindLoopVars(s, []Value{v})
	l.loopBody(s.Body, label, head, exit, nil)
}
