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

func (l *lowerer) unary(e *ast.UnaryExpr, t types.Type) Value {
	switch e.Op {
	case token.AND:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			lt := l.typeOf(lit)
			obj := l.alloc(lt)
			l.compositeInto(lit, memory(obj, l.b.Const(logic.Slot, 0), lt))
			return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0)}}
		}
		return l.addressOf(l.addr(e.X), t)
	case token.ARROW:
		v, _ := l.receiveExpr(e)
		return v
	}
	x := l.expr(e.X)
	v := x.Leaves[0]
	one := func(r *logic.Term) Value { return Value{t, []*logic.Term{r}} }
	switch {
	case e.Op == token.NOT:
		return one(l.b.Not(v))
	case e.Op == token.ADD:
		return x
	case e.Op == token.XOR:
		return one(l.b.Bin(logic.OpBXor, v, l.b.Const(v.Sort, math.MaxUint64)))
	case e.Op == token.SUB && len(x.Leaves) == 1 && v.Sort.Kind == logic.KBV:
		return one(l.b.Neg(v))
	case e.Op == token.SUB:
		neg := Value{Type: t}
		for _, part := range x.Leaves { // two of a complex number
			neg.Leaves = append(neg.Leaves, l.b.FConv(logic.OpFNeg, part.Sort, part))
		}
		return neg
	}
	panic(unsupportedf("operator %s on %s", e.Op, t))
}

func (l *lowerer) binary(e *ast.BinaryExpr, t types.Type) Value {
	one := func(r *logic.Term) Value { return Value{t, []*logic.Term{r}} }
	switch e.Op {
	case token.LAND, token.LOR:
		return one(l.shortCircuit(e))
	case token.EQL, token.NEQ:
		r := l.equality(e)
		if e.Op == token.NEQ {
			r = l.b.Not(r)
		}
		return one(r)
	case token.SHL, token.SHR:
		x := l.exprTo(e.X, t)
		return l.shift(e.Op, x, e.Y, e.OpPos)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		xt := l.operandType(e)
		return one(l.order(e.Op, l.exprTo(e.X, xt), l.exprTo(e.Y, xt)))
	}
	x := l.exprTo(e.X, t)
	y := l.exprTo(e.Y, t)
	return l.arith(e.Op, x, y, e.OpPos)
}

// shortCircuit is && or ||; the right side runs only if it must.
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

// arith is an arithmetic operation other than a shift, on operands of one type.
func (em *emitter) arith(op token.Token, x, y Value, pos token.Pos) Value {
	t := x.Type
	one := func(r *logic.Term) Value { return Value{t, []*logic.Term{r}} }
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
		ops := map[token.Token]logic.Op{token.ADD: logic.OpFAdd, token.SUB: logic.OpFSub, token.MUL: logic.OpFMul, token.QUO: logic.OpFDiv}
		return one(em.b.FBin(ops[op], a, b))
	}
	signed := isSigned(t)
	switch op {
	case token.ADD:
		return one(em.b.Add(a, b))
	case token.SUB:
		return one(em.b.Sub(a, b))
	case token.MUL:
		return one(em.b.Mul(a, b))
	case token.QUO, token.REM:
		em.assert(em.b.Not(em.b.Eq(b, em.b.Const(b.Sort, 0))), schemas.DivZero, pos, "the divisor is zero")
		f := map[bool]map[token.Token]logic.Op{
			true:  {token.QUO: logic.OpSDiv, token.REM: logic.OpSRem},
			false: {token.QUO: logic.OpUDiv, token.REM: logic.OpURem},
		}[signed][op]
		return one(em.b.Bin(f, a, b))
	case token.AND:
		return one(em.b.Bin(logic.OpBAnd, a, b))
	case token.OR:
		return one(em.b.Bin(logic.OpBOr, a, b))
	case token.XOR:
		return one(em.b.Bin(logic.OpBXor, a, b))
	case token.AND_NOT:
		return one(em.b.Bin(logic.OpBAnd, a, em.b.Bin(logic.OpBXor, b, em.b.Const(b.Sort, math.MaxUint64))))
	}
	panic(unsupportedf("operator %s on %s", op, t))
}

// shift is x << n or x >> n; a negative n panics, a large one shifts everything out.
func (l *lowerer) shift(op token.Token, x Value, count ast.Expr, pos token.Pos) Value {
	var ct types.Type
	var n *logic.Term
	if tv := l.pkg.Info.Types[count]; tv.Value != nil {
		ct = types.Typ[types.Uint64]
		n = l.constant(tv.Value, ct).Leaves[0]
	} else {
		v := l.expr(count)
		ct, n = v.Type, v.Leaves[0]
	}
	if isSigned(ct) {
		l.assert(l.b.Cmp(logic.OpSLe, l.b.Const(n.Sort, 0), n), schemas.Shift, pos, "the shift count is negative")
	}
	a := x.Leaves[0]
	bits := a.Sort.Bits
	// Bring the count to the width of the operand; one that does not fit is as good as the width.
	switch {
	case n.Sort.Bits < bits:
		n = l.b.ZExt(n, bits)
	case n.Sort.Bits > bits:
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
	return Value{x.Type, []*logic.Term{l.b.Bin(f, a, n)}}
}

// complexArith is arithmetic on complex numbers, which are pairs of floats. Like the compiler's, products and quotients
// of complex64 are computed in float64.
func (em *emitter) complexArith(op token.Token, x, y Value) Value {
	b := em.b
	t, part := x.Type, x.Leaves[0].Sort
	switch op {
	case token.ADD, token.SUB:
		f := logic.OpFAdd
		if op == token.SUB {
			f = logic.OpFSub
		}
		return Value{t, []*logic.Term{b.FBin(f, x.Leaves[0], y.Leaves[0]), b.FBin(f, x.Leaves[1], y.Leaves[1])}}
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
		return Value{t, []*logic.Term{narrow(re), narrow(im)}}
	}
	quo := em.w.models["runtime.ComplexQuo"]
	if quo == nil {
		panic(unsupportedf("complex division with this version of Go"))
	}
	key := em.w.Key(quo.Obj, nil)
	em.w.enqueue(pending{key: key, f: quo})
	res := em.emitCall(&ir.Call{Static: key, Sig: quo.Obj.Type().(*types.Signature)}, []Value{{types.Typ[types.Float64], []*logic.Term{p, q, r, s}}})
	return Value{t, []*logic.Term{narrow(res[0].Leaves[0]), narrow(res[1].Leaves[0])}}
}
