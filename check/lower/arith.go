package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strconv"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// unary lowers a unary expression of type t.
func (l *lowerer) unary(e *ast.UnaryExpr, t types.Type) Value {
	switch e.Op {
	case token.AND:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			lt := l.typeOf(lit)
			obj := l.alloc(lt)
			l.compositeInto(lit, memory(obj, l.slot0(), lt))
			return tuple(t, obj, l.slot0())
		}
		return l.addressOf(l.addr(e.X), t)
	case token.ARROW:
		v, _ := l.receiveExpr(e)
		return v
	}
	x := l.expr(e.X)
	v := x.Leaves[0]
	switch {
	case e.Op == token.NOT:
		return tuple(t, l.b.Not(v))
	case e.Op == token.ADD:
		return x
	case e.Op == token.XOR:
		return tuple(t, l.b.Bin(logic.OpBXor, v, l.b.Const(v.Sort, math.MaxUint64)))
	case e.Op == token.SUB && len(x.Leaves) == 1 && v.Sort.Kind == logic.KBV:
		return tuple(t, l.b.Neg(v))
	case e.Op == token.SUB:
		neg := Value{Type: t}
		for _, part := range x.Leaves { // a complex number has two
			neg.Leaves = append(neg.Leaves, l.b.FConv(logic.OpFNeg, part.Sort, part))
		}
		return neg
	}
	panic(unsupportedf("operator %s on %s", e.Op, t))
}

// binary lowers a binary expression of type t.
func (l *lowerer) binary(e *ast.BinaryExpr, t types.Type) Value {
	switch e.Op {
	case token.LAND, token.LOR:
		return tuple(t, l.shortCircuit(e))
	case token.EQL, token.NEQ:
		r := l.equality(e)
		if e.Op == token.NEQ {
			r = l.b.Not(r)
		}
		return tuple(t, r)
	case token.SHL, token.SHR:
		x := l.exprTo(e.X, t)
		return l.shift(e.Op, x, e.Y, e.OpPos)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		xt := l.operandType(e)
		x, y := l.exprTo(e.X, xt), l.exprTo(e.Y, xt)
		l.noteComparison(e.Pos(), x, y)
		return tuple(t, l.order(e.Op, x, y))
	}
	x := l.exprTo(e.X, t)
	y := l.exprTo(e.Y, t)
	return l.arith(e.Op, x, y, e.OpPos)
}

// shortCircuit lowers x && y:
//
//	c := x
//	if c goto right else join
//	right: c := y; goto join
//	join:  c
//
// and x || y with the branch reversed. If evaluating y emits no command, it is a term without a
// branch.
func (l *lowerer) shortCircuit(e *ast.BinaryExpr) *logic.Term {
	x := l.expr(e.X).Leaves[0]
	if l.pure(e.Y) {
		y := l.expr(e.Y).Leaves[0]
		if e.Op == token.LAND {
			return l.b.And(x, y)
		}
		return l.b.Or(x, y)
	}
	l.temps++
	r := l.newVar("c"+strconv.Itoa(l.temps), logic.Bool)
	l.assign(r, x)
	right, join := l.block(), l.block()
	if e.Op == token.LAND {
		l.branch(l.b.Var(r), right, join)
	} else {
		l.branch(l.b.Var(r), join, right)
	}
	l.start(right)
	l.assign(r, l.expr(e.Y).Leaves[0])
	l.jump(join)
	l.start(join)
	return l.b.Var(r)
}

// arith returns x op y for operands of one type and an operator other than a shift. Integers wrap
// around. Division of integers by zero panics.
func (em *emitter) arith(op token.Token, x, y Value, pos token.Pos) Value {
	t := x.Type
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("operator %s on %s", op, t))
	}
	a, b := x.Leaves[0], y.Leaves[0]
	switch info := u.Info(); {
	case info&types.IsString != 0:
		return em.concat(x, y)
	case info&types.IsComplex != 0:
		return em.complexArith(op, x, y)
	case info&types.IsFloat != 0:
		ops := map[token.Token]logic.Op{
			token.ADD: logic.OpFAdd, token.SUB: logic.OpFSub,
			token.MUL: logic.OpFMul, token.QUO: logic.OpFDiv,
		}
		return tuple(t, em.b.FBin(ops[op], a, b))
	}
	signed := isSigned(t)
	switch op {
	case token.ADD:
		return tuple(t, em.b.Add(a, b))
	case token.SUB:
		return tuple(t, em.b.Sub(a, b))
	case token.MUL:
		return tuple(t, em.b.Mul(a, b))
	case token.QUO, token.REM:
		em.assert(em.b.Not(em.b.Eq(b, em.b.Const(b.Sort, 0))), schemas.DivZero, pos,
			"the divisor is zero")
		f := map[bool]map[token.Token]logic.Op{
			true:  {token.QUO: logic.OpSDiv, token.REM: logic.OpSRem},
			false: {token.QUO: logic.OpUDiv, token.REM: logic.OpURem},
		}[signed][op]
		return tuple(t, em.b.Bin(f, a, b))
	case token.AND:
		return tuple(t, em.b.Bin(logic.OpBAnd, a, b))
	case token.OR:
		return tuple(t, em.b.Bin(logic.OpBOr, a, b))
	case token.XOR:
		return tuple(t, em.b.Bin(logic.OpBXor, a, b))
	case token.AND_NOT:
		notB := em.b.Bin(logic.OpBXor, b, em.b.Const(b.Sort, math.MaxUint64))
		return tuple(t, em.b.Bin(logic.OpBAnd, a, notB))
	}
	panic(unsupportedf("operator %s on %s", op, t))
}

// shift returns x << count or x >> count. A negative count panics, and a large one shifts out all
// bits.
func (l *lowerer) shift(op token.Token, x Value, count ast.Expr, pos token.Pos) Value {
	var ct types.Type
	var n *logic.Term
	if tv := l.pkg.Info.Types[count]; tv.Value != nil {
		ct = types.Typ[types.Uint64]
		n = l.constant(tv.Value, ct).Leaves[0]
	} else {
		v := l.shiftCount(count)
		ct, n = v.Type, v.Leaves[0]
	}
	if isSigned(ct) {
		l.assert(l.b.Cmp(logic.OpSLe, l.b.Const(n.Sort, 0), n), schemas.Shift, pos,
			"the shift count is negative")
	}
	a := x.Leaves[0]
	bits := a.Sort.Bits()
	// Bring the count to the width of the operand. A count that does not fit shifts as far as
	// the width.
	switch {
	case n.Sort.Bits() < bits:
		n = l.b.ZExt(n, bits)
	case n.Sort.Bits() > bits:
		fits := l.b.Cmp(logic.OpULt, n, l.b.Const(n.Sort, uint64(bits)))
		n = l.b.Ite(fits, l.b.Extract(bits-1, 0, n), l.b.Const(a.Sort, uint64(bits)))
	}
	f := logic.OpShl
	if op == token.SHR {
		f = logic.OpLShr
		if isSigned(x.Type) {
			f = logic.OpAShr
		}
	}
	return tuple(x.Type, l.b.Bin(f, a, n))
}

// shiftCount evaluates the count of a shift. An untyped one that is not constant is a uint.
func (l *lowerer) shiftCount(e ast.Expr) Value {
	u, ok := l.pkg.Info.TypeOf(e).(*types.Basic)
	if !ok || u.Info()&types.IsUntyped == 0 {
		return l.expr(e)
	}
	uint := types.Typ[types.Uint]
	if tv := l.pkg.Info.Types[e]; tv.Value != nil {
		return l.constant(tv.Value, uint)
	}
	x, ok := ast.Unparen(e).(*ast.BinaryExpr)
	switch {
	case !ok:
		return Value{uint, l.expr(e).Leaves}
	case x.Op == token.SHL || x.Op == token.SHR:
		return l.shift(x.Op, l.shiftCount(x.X), x.Y, x.OpPos)
	}
	return l.arith(x.Op, l.shiftCount(x.X), l.shiftCount(x.Y), x.OpPos)
}

// complexArith returns x op y for complex numbers. Like the compiler, it computes products and
// quotients of complex64 in float64. Quotients are computed by a model, see models/runtime.go.
func (em *emitter) complexArith(op token.Token, x, y Value) Value {
	b := em.b
	t, part := x.Type, x.Leaves[0].Sort
	switch op {
	case token.ADD, token.SUB:
		f := logic.OpFAdd
		if op == token.SUB {
			f = logic.OpFSub
		}
		return tuple(t, b.FBin(f, x.Leaves[0], y.Leaves[0]),
			b.FBin(f, x.Leaves[1], y.Leaves[1]))
	}
	wide := func(f *logic.Term) *logic.Term { return b.FConv(logic.OpFToF, logic.Float(64), f) }
	narrow := func(f *logic.Term) *logic.Term { return b.FConv(logic.OpFToF, part, f) }
	if part == logic.Float(64) {
		wide = func(f *logic.Term) *logic.Term { return f }
		narrow = wide
	}
	p, q, r, s := wide(x.Leaves[0]), wide(x.Leaves[1]), wide(y.Leaves[0]), wide(y.Leaves[1])
	if op == token.MUL {
		mul := func(x, y *logic.Term) *logic.Term { return b.FBin(logic.OpFMul, x, y) }
		re := b.FBin(logic.OpFSub, mul(p, r), mul(q, s))
		im := b.FBin(logic.OpFAdd, mul(p, s), mul(q, r))
		return tuple(t, narrow(re), narrow(im))
	}
	quo := em.w.models["runtime.ComplexQuo"]
	if quo == nil {
		panic(unsupportedf("complex division with this version of Go"))
	}
	key := em.w.Key(quo.Obj, nil)
	em.w.enqueue(pending{key: key, f: quo})
	call := &ir.Call{Static: key, Sig: quo.Obj.Type().(*types.Signature)}
	res := em.emitCall(call, []Value{tuple(types.Typ[types.Float64], p, q, r, s)})
	return tuple(t, narrow(res[0].Leaves[0]), narrow(res[1].Leaves[0]))
}
