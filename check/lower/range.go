package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// rangeStmt lowers to a counting loop:
//
//	i := 0; n := len(x)
//	for ; i < n; i++ { key, value := i, x[i]; body }
func (l *lowerer) rangeStmt(s *ast.RangeStmt, label string) {
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
		l.countingLoop(s, label, n.Leaves[0], isSigned(n.Type), func(i *logic.Term) []Value { return []Value{{n.Type, []*logic.Term{i}}} })

	case *types.Slice:
		x := l.snapshot(l.expr(s.X))
		l.countingLoop(s, label, x.Leaves[2], true, func(i *logic.Term) []Value {
			return []Value{{types.Typ[types.Int], []*logic.Term{i}}, l.lazyElem(s, memory(x.Leaves[0], l.elemSlot(x.Leaves[1], i, u.Elem()), u.Elem()))}
		})

	case *types.Array:
		at := l.addr(s.X)
		if s.Value != nil { // the loop is over a copy
			at2 := memory(l.alloc(xt), l.b.Const(logic.Slot, 0), xt)
			l.store(at2, l.load(at))
			at = at2
		}
		l.rangeArray(s, label, at, u)

	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		p := l.expr(s.X)
		if s.Value == nil {
			l.countingLoop(s, label, l.int(a.Len()), true, func(i *logic.Term) []Value { return []Value{{types.Typ[types.Int], []*logic.Term{i}}} })
			return
		}
		l.rangeArray(s, label, l.deref(p, s.X.Pos()), a)

	case *types.Map:
		l.rangeMap(s, label, u)

	case *types.Chan:
		ch := l.snapshot(l.expr(s.X))
		l.assume(l.b.Not(l.b.Eq(ch.Leaves[0], l.zeroLeaf(logic.Obj))))
		head, body, exit := l.block(), l.block(), l.block()
		l.jump(head)
		l.start(head)
		v, ok := l.receive(ch.Leaves[0], u.Elem())
		l.branch(ok, body, exit)
		l.start(body)
		l.bindLoopVars(s, []Value{v})
		l.loopBody(s, label, head, exit)

	case *types.Signature:
		l.rangeFunc(s, label, u)

	default:
		panic(unsupportedf("range over %s", xt))
	}
}

func (l *lowerer) rangeArray(s *ast.RangeStmt, label string, at location, a *types.Array) {
	l.countingLoop(s, label, l.int(a.Len()), true, func(i *logic.Term) []Value {
		return []Value{{types.Typ[types.Int], []*logic.Term{i}}, l.lazyElem(s, memory(at.obj, l.elemSlot(at.slot, i, a.Elem()), a.Elem()))}
	})
}

// lazyElem reads an element only if the loop wants it.
func (l *lowerer) lazyElem(s *ast.RangeStmt, at location) Value {
	if s.Value == nil {
		return Value{}
	}
	return l.load(at)
}

// countingLoop is the loop for i from 0 to n-1; values gives the key and value of an iteration.
func (l *lowerer) countingLoop(s *ast.RangeStmt, label string, n *logic.Term, signed bool, values func(i *logic.Term) []Value) {
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
	l.branchAt(l.b.Cmp(op, i, n), body, exit, s.Pos(), "another pass over "+types.ExprString(s.X))
	l.start(body)
	l.bindLoopVars(s, values(i))
	post := l.block()
	l.targets = append(l.targets, target{label: label, brk: exit, cont: post})
	l.stmt(s.Body)
	l.targets = l.targets[:len(l.targets)-1]
	l.jump(post)
	l.start(post)
	l.assign(iv, l.b.Add(i, l.b.Const(n.Sort, 1)))
	l.jump(head)
	l.endLoop(head)
	l.start(exit)
}

// loopBody is the body of a loop without a post statement.
func (l *lowerer) loopBody(s *ast.RangeStmt, label string, head, exit *ir.Block) {
	l.targets = append(l.targets, target{label: label, brk: exit, cont: head})
	l.stmt(s.Body)
	l.targets = l.targets[:len(l.targets)-1]
	l.jump(head)
	l.endLoop(head)
	l.start(exit)
}

// bindLoopVars gives the loop's key and value variables their values.
func (l *lowerer) bindLoopVars(s *ast.RangeStmt, vals []Value) {
	var lhs []ast.Expr
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && len(lhs) < len(vals) {
			lhs = append(lhs, e)
		}
	}
	l.assignTo(lhs, s.Tok == token.DEFINE, vals)
}

// rangeMap visits keys in any order:
//
//	for i := 0; i < len(m); i++ { havoc key; assume key in m; body }
//
// Keys may repeat, which is more than Go allows, and entries that the body adds may be seen, as in Go.
func (l *lowerer) rangeMap(s *ast.RangeStmt, label string, m *types.Map) {
	x := l.snapshot(l.expr(s.X))
	n := l.temp(l.mapLen(x.Leaves[0], m))
	l.countingLoop(s, label, n, true, func(*logic.Term) []Value {
		key := l.havoc("key", m.Key())
		at := location{typ: m.Elem(), m: m, mapObj: x.Leaves[0], mapKey: key, pos: s.X.Pos()}
		v, ok := l.mapLoad(at)
		l.assume(ok)
		return []Value{key, v}
	})
}

func (l *lowerer) rangeString(s *ast.RangeStmt, label string) {
	x := l.snapshot(l.expr(s.X))
	iv := l.newVar("i", logic.Int)
	step := l.newVar("step", logic.Int)
	l.assign(iv, l.int(0))
	i := l.b.Var(iv)
	head, body, exit := l.block(), l.block(), l.block()
	l.jump(head)
	l.start(head)
	l.branchAt(l.b.Cmp(logic.OpSLt, i, x.Leaves[2]), body, exit, s.Pos(), "another pass over "+types.ExprString(s.X))
	l.start(body)
	r, n := l.decodeRune(x, i)
	r = l.temp(r)
	l.assign(step, n)
	l.bindLoopVars(s, []Value{{types.Typ[types.Int], []*logic.Term{i}}, {types.Typ[types.Rune], []*logic.Term{r}}})
	post := l.block()
	l.targets = append(l.targets, target{label: label, brk: exit, cont: post})
	l.stmt(s.Body)
	l.targets = l.targets[:len(l.targets)-1]
	l.jump(post)
	l.start(post)
	l.assign(iv, l.b.Add(i, l.b.Var(step)))
	l.jump(head)
	l.endLoop(head)
	l.start(exit)
}
