package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"

	"dsd/check/logic"
	"dsd/schemas"
)

func (l *lowerer) typeOf(e ast.Expr) types.Type {
	t := l.pkg.Info.TypeOf(e)
	if t == nil {
		panic(unsupportedf("an expression without a type (cgo?)"))
	}
	return l.typ(t)
}

// exprTo evaluates e and converts it to type t as an assignment does.
func (l *lowerer) exprTo(e ast.Expr, t types.Type) Value {
	if tv := l.pkg.Info.Types[e]; tv.Value != nil && !types.IsInterface(t) {
		return l.constant(tv.Value, t)
	}
	if l.isNil(e) {
		return l.zero(t)
	}
	return l.assignable(l.expr(e), t)
}

func (l *lowerer) isNil(e ast.Expr) bool {
	return l.pkg.Info.Types[e].IsNil()
}

// assignable converts v to t where Go does so without being asked: a value into an interface, an untyped boolean.
func (l *lowerer) assignable(v Value, t types.Type) Value {
	if types.IsInterface(t) && !types.IsInterface(v.Type) {
		return l.toInterface(v, t)
	}
	return Value{t, v.Leaves}
}

// toInterface puts v into an interface: a pointer as it is, anything else into a box that is never written again.
func (l *lowerer) toInterface(v Value, t types.Type) Value {
	tag := l.b.Const(logic.BV(32), uint64(l.w.Tag(v.Type)))
	if pointee(v.Type) != nil {
		return Value{t, []*logic.Term{tag, v.Leaves[0], v.Leaves[1]}}
	}
	obj := l.newObject()
	l.storeMem(obj, l.b.Const(logic.Slot, 0), v.Type, "box "+l.w.typeKey(v.Type), v)
	return Value{t, []*logic.Term{tag, obj, l.b.Const(logic.Slot, 0)}}
}

// fromInterface is the value of type t inside an interface that holds one.
func (l *lowerer) fromInterface(v Value, t types.Type) Value {
	if pointee(t) != nil {
		return Value{t, []*logic.Term{v.Leaves[1], v.Leaves[2]}}
	}
	return l.loadMem(v.Leaves[1], l.b.Const(logic.Slot, 0), t, "box "+l.w.typeKey(t))
}

// constant is a constant of type t.
func (l *lowerer) constant(c constant.Value, t types.Type) Value {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("a constant of type %s", t))
	}
	one := func(x *logic.Term) Value { return Value{t, []*logic.Term{x}} }
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return one(l.b.Bool(constant.BoolVal(c)))
	case info&types.IsInteger != 0:
		c = constant.ToInt(c)
		n := intBits(u)
		if i, ok := constant.Int64Val(c); ok {
			return one(l.b.Const(logic.BV(n), uint64(i)))
		}
		i, _ := constant.Uint64Val(c)
		return one(l.b.Const(logic.BV(n), i))
	case info&types.IsFloat != 0:
		return one(l.floatConst(c, floatBits(u)))
	case info&types.IsComplex != 0:
		n := 64
		if u.Kind() == types.Complex64 {
			n = 32
		}
		return Value{t, []*logic.Term{l.floatConst(constant.Real(c), n), l.floatConst(constant.Imag(c), n)}}
	case info&types.IsString != 0:
		return l.stringConst(constant.StringVal(c), t)
	}
	panic(unsupportedf("a constant of type %s", t))
}

func (l *lowerer) floatConst(c constant.Value, n int) *logic.Term {
	if n == 32 {
		f, _ := constant.Float32Val(constant.ToFloat(c))
		return l.b.Const(logic.Float(32), uint64(math.Float32bits(f)))
	}
	f, _ := constant.Float64Val(constant.ToFloat(c))
	return l.b.Const(logic.Float(64), math.Float64bits(f))
}

func (l *lowerer) stringConst(s string, t types.Type) Value {
	obj := l.b.Const(logic.Obj, 0)
	if s != "" {
		obj = l.b.Const(logic.Obj, uint64(l.w.literal(s)))
	}
	return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0), l.int(int64(len(s)))}}
}

// expr evaluates an expression with one value.
func (l *lowerer) expr(e ast.Expr) Value {
	t := l.typeOf(e)
	if tv := l.pkg.Info.Types[e]; tv.Value != nil {
		return l.constant(tv.Value, types.Default(t))
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.expr(e.X)

	case *ast.Ident:
		return l.ident(e, t)

	case *ast.BasicLit:
		panic(unsupportedf("a literal %s", e.Value)) // literals are constants

	case *ast.FuncLit:
		return l.funcLit(e, t)

	case *ast.CompositeLit:
		return l.compositeLit(e, t)

	case *ast.SelectorExpr:
		return l.selector(e, t)

	case *ast.IndexExpr:
		return l.index(e, t)

	case *ast.IndexListExpr:
		return l.funcValue(e, t)

	case *ast.SliceExpr:
		return l.slice(e, t)

	case *ast.TypeAssertExpr:
		v, _ := l.typeAssert(e, false)
		return v

	case *ast.CallExpr:
		vals := l.call(e)
		if len(vals) != 1 {
			panic(unsupportedf("a call with %d results as a value", len(vals)))
		}
		return vals[0]

	case *ast.StarExpr:
		if v, ok := l.reinterpret(e, t); ok {
			return v
		}
		return l.load(l.deref(l.expr(e.X), e.Pos()))

	case *ast.UnaryExpr:
		return l.unary(e, t)

	case *ast.BinaryExpr:
		return l.binary(e, t)

	default:
		panic(unsupportedf("%T", e))
	}
}

// exprs evaluates an expression that may be a call with several results.
func (l *lowerer) exprs(e ast.Expr) []Value {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if _, ok := l.typeOf(c).(*types.Tuple); ok {
			return l.call(c)
		}
	}
	return []Value{l.expr(e)}
}

func (l *lowerer) ident(e *ast.Ident, t types.Type) Value {
	switch o := l.pkg.Info.ObjectOf(e).(type) {
	case *types.Var:
		return l.load(l.varLocation(o))
	case *types.Func:
		return l.funcValue(e, t)
	case *types.Nil:
		return l.zero(t)
	}
	panic(unsupportedf("the name %s", e.Name))
}

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

// operandType is the type in which the operands of a comparison are compared.
func (l *lowerer) operandType(e *ast.BinaryExpr) types.Type {
	x, y := l.typeOf(e.X), l.typeOf(e.Y)
	if b, ok := x.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		if b, ok := y.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			return types.Default(x)
		}
		return y
	}
	return x
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

// pure says that evaluating e emits no command, so that it does not matter whether it is evaluated.
func (l *lowerer) pure(e ast.Expr) bool {
	if l.pkg.Info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.pure(e.X)
	case *ast.Ident:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.NOT && l.pure(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			t := l.operandType(e)
			u, ok := t.Underlying().(*types.Basic)
			return l.pure(e.X) && l.pure(e.Y) && (ok && u.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) != 0 || l.isNil(e.X) || l.isNil(e.Y))
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR:
			u, ok := l.typeOf(e).Underlying().(*types.Basic)
			return ok && u.Info()&(types.IsInteger|types.IsFloat) != 0 && l.pure(e.X) && l.pure(e.Y)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && len(e.Args) == 1 {
			if b, ok := l.pkg.Info.Uses[id].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				switch l.typeOf(e.Args[0]).Underlying().(type) {
				case *types.Slice, *types.Basic:
					return l.pure(e.Args[0])
				}
			}
		}
	}
	return false
}

// arith is an arithmetic operation other than a shift, on operands of one type.
func (l *lowerer) arith(op token.Token, x, y Value, pos token.Pos) Value {
	t := x.Type
	one := func(r *logic.Term) Value { return Value{t, []*logic.Term{r}} }
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("operator %s on %s", op, t))
	}
	a, b := x.Leaves[0], y.Leaves[0]
	switch info := u.Info(); {
	case info&types.IsString != 0:
		return l.concat(x, y)
	case info&types.IsComplex != 0:
		return l.complexArith(op, x, y)
	case info&types.IsFloat != 0:
		ops := map[token.Token]logic.Op{token.ADD: logic.OpFAdd, token.SUB: logic.OpFSub, token.MUL: logic.OpFMul, token.QUO: logic.OpFDiv}
		return one(l.b.FBin(ops[op], a, b))
	}
	signed := isSigned(t)
	switch op {
	case token.ADD:
		return one(l.b.Add(a, b))
	case token.SUB:
		return one(l.b.Sub(a, b))
	case token.MUL:
		return one(l.b.Mul(a, b))
	case token.QUO, token.REM:
		l.assert(l.b.Not(l.b.Eq(b, l.b.Const(b.Sort, 0))), schemas.DivZero, pos, "the divisor is zero")
		f := map[bool]map[token.Token]logic.Op{
			true:  {token.QUO: logic.OpSDiv, token.REM: logic.OpSRem},
			false: {token.QUO: logic.OpUDiv, token.REM: logic.OpURem},
		}[signed][op]
		return one(l.b.Bin(f, a, b))
	case token.AND:
		return one(l.b.Bin(logic.OpBAnd, a, b))
	case token.OR:
		return one(l.b.Bin(logic.OpBOr, a, b))
	case token.XOR:
		return one(l.b.Bin(logic.OpBXor, a, b))
	case token.AND_NOT:
		return one(l.b.Bin(logic.OpBAnd, a, l.b.Bin(logic.OpBXor, b, l.b.Const(b.Sort, math.MaxUint64))))
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

// typeAssert is x.(T); with comma ok it does not panic and the second value says whether it held.
func (l *lowerer) typeAssert(e *ast.TypeAssertExpr, commaOK bool) (Value, *logic.Term) {
	x := l.snapshot(l.expr(e.X))
	t := l.typeOf(e.Type)
	ok := l.temp(l.hasType(x, t))
	if !commaOK {
		l.assert(ok, schemas.TypeAssert, place(e.X), "%s does not hold %s", types.ExprString(e.X), types.TypeString(t, types.RelativeTo(l.pkg.Types)))
	}
	var v Value
	if types.IsInterface(t) {
		v = Value{t, x.Leaves}
	} else {
		v = l.fromInterface(x, t)
	}
	if commaOK {
		v = l.choose(ok, v, l.zero(t))
	}
	return v, ok
}

// hasType says that an interface holds type t, or a type that implements the interface t.
func (l *lowerer) hasType(x Value, t types.Type) *logic.Term {
	tag := x.Leaves[0]
	is := func(n uint32) *logic.Term { return l.b.Eq(tag, l.b.Const(tag.Sort, uint64(n))) }
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return is(l.w.Tag(t))
	}
	if iface.NumMethods() == 0 {
		return l.b.Not(is(0))
	}
	if types.Implements(x.Type, iface) {
		return l.b.Not(is(0))
	}
	var any []*logic.Term
	if types.Identical(iface, types.Universe.Lookup("error").Type().Underlying()) {
		any = append(any, is(logic.TagRuntimeError))
	}
	for _, c := range l.w.candidates {
		if types.Implements(c, iface) {
			any = append(any, is(l.w.Tag(c)))
		}
	}
	return l.b.Or(any...)
}

// choose is a value that depends on a condition.
func (l *lowerer) choose(c *logic.Term, x, y Value) Value {
	v := Value{Type: x.Type}
	for i := range x.Leaves {
		v.Leaves = append(v.Leaves, l.b.Ite(c, x.Leaves[i], y.Leaves[i]))
	}
	return v
}

func (l *lowerer) slice(e *ast.SliceExpr, t types.Type) Value {
	xt := l.typeOf(e.X)
	var obj, slot, length, capacity *logic.Term
	size := int64(1)
	isString := false
	switch u := xt.Underlying().(type) {
	case *types.Basic:
		v := l.expr(e.X)
		isString = true
		obj, slot, length, capacity = v.Leaves[0], v.Leaves[1], v.Leaves[2], v.Leaves[2]
	case *types.Slice:
		v := l.expr(e.X)
		obj, slot, length, capacity = v.Leaves[0], v.Leaves[1], v.Leaves[2], v.Leaves[3]
		size = int64(l.w.Slots(u.Elem()))
	case *types.Array:
		at := l.addr(e.X)
		obj, slot = at.obj, at.slot
		length, capacity = l.int(u.Len()), l.int(u.Len())
		size = int64(l.w.Slots(u.Elem()))
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		at := l.deref(l.expr(e.X), place(e.X))
		obj, slot = at.obj, at.slot
		length, capacity = l.int(a.Len()), l.int(a.Len())
		size = int64(l.w.Slots(a.Elem()))
	default:
		panic(unsupportedf("slicing %s", xt))
	}
	bound := func(e ast.Expr, def *logic.Term) *logic.Term {
		if e == nil {
			return def
		}
		return l.toInt(l.expr(e))
	}
	lo := bound(e.Low, l.int(0))
	hi := bound(e.High, length)
	max := bound(e.Max, capacity)
	ule := func(a, b *logic.Term) *logic.Term { return l.b.Cmp(logic.OpULe, a, b) }
	ok := l.b.And(ule(lo, hi), ule(hi, max), ule(max, capacity))
	l.assert(ok, schemas.SliceBounds, place(e.X), "slice bounds of %s are out of range", types.ExprString(e.X))
	n := l.b.Sub(hi, lo)
	at := l.b.Add(slot, l.b.Mul(lo, l.int(size)))
	if isString {
		return Value{t, []*logic.Term{obj, at, n}}
	}
	return Value{t, []*logic.Term{obj, at, n, l.b.Sub(max, lo)}}
}

// toInt widens an integer to 64 bits by its own sign; what does not fit counts as out of any range.
func (l *lowerer) toInt(v Value) *logic.Term {
	x := v.Leaves[0]
	if isSigned(v.Type) {
		return l.b.SExt(x, 64)
	}
	return l.b.ZExt(x, 64)
}

// checkIndex asserts 0 <= i < n.
func (l *lowerer) checkIndex(i, n *logic.Term, e ast.Expr, pos token.Pos) {
	l.assert(l.b.Cmp(logic.OpULt, i, n), schemas.Index, pos, "the index into %s is out of range", types.ExprString(e))
}
