package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// order is <, <=, > or >= on integers, floats or strings.
func (l *lowerer) order(op token.Token, x, y Value) *logic.Term {
	if op == token.GTR || op == token.GEQ {
		x, y = y, x
	}
	strict := op == token.LSS || op == token.GTR
	u := x.Type.Underlying().(*types.Basic)
	if u.Info()&types.IsString != 0 {
		return l.stringLess(x, y, strict)
	}
	f := logic.OpULe
	switch {
	case u.Info()&types.IsFloat != 0 && strict:
		f = logic.OpFLt
	case u.Info()&types.IsFloat != 0:
		f = logic.OpFLe
	case isSigned(x.Type) && strict:
		f = logic.OpSLt
	case isSigned(x.Type):
		f = logic.OpSLe
	case strict:
		f = logic.OpULt
	}
	return l.b.Cmp(f, x.Leaves[0], y.Leaves[0])
}

func (l *lowerer) equality(e *ast.BinaryExpr) *logic.Term {
	xt, yt := l.typeOf(e.X), l.typeOf(e.Y)
	switch {
	case l.isNil(e.X):
		return l.isZero(l.expr(e.Y))
	case l.isNil(e.Y):
		return l.isZero(l.expr(e.X))
	case types.IsInterface(xt) && !types.IsInterface(yt):
		x := l.snapshot(l.expr(e.X))
		return l.ifaceEqConcrete(x, l.exprTo(e.Y, types.Default(yt)))
	case types.IsInterface(yt) && !types.IsInterface(xt):
		x := l.exprTo(e.X, types.Default(xt))
		return l.ifaceEqConcrete(l.expr(e.Y), x)
	}
	t := l.operandType(e)
	x := l.exprTo(e.X, t)
	y := l.exprTo(e.Y, t)
	l.comparable(x, y, e.OpPos)
	return l.equal(x, y)
}

// comparable asserts that interfaces among the parts of x and y do not hold the same uncomparable type.
func (l *lowerer) comparable(x, y Value, pos token.Pos) {
	if hasTypeParam(x.Type) {
		return
	}
	switch u := x.Type.Underlying().(type) {
	case *types.Interface:
		same := l.b.Eq(x.Leaves[0], y.Leaves[0])
		l.assert(l.b.Not(l.b.And(same, l.uncomparable(x.Leaves[0]))), schemas.Uncomparable, pos, "values of an uncomparable type are compared")
	case *types.Struct:
		at := 0
		for i := range u.NumFields() {
			t := u.Field(i).Type()
			n := len(l.w.Layout(t))
			l.comparable(Value{t, x.Leaves[at : at+n]}, Value{t, y.Leaves[at : at+n]}, pos)
			at += n
		}
	}
}

// uncomparable says that a dynamic type is one whose values cannot be compared.
func (l *lowerer) uncomparable(tag *logic.Term) *logic.Term {
	var any []*logic.Term
	for _, n := range l.w.uncomparables() {
		any = append(any, l.b.Eq(tag, l.b.Const(tag.Sort, uint64(n))))
	}
	return l.b.Or(any...)
}

// isZero compares a pointer, slice, map, channel, function or interface with nil.
func (l *lowerer) isZero(v Value) *logic.Term {
	return l.b.Eq(v.Leaves[0], l.zeroLeaf(v.Leaves[0].Sort))
}

// equal is == on two values of one type.
func (l *lowerer) equal(x, y Value) *logic.Term {
	switch u := x.Type.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return l.stringEqual(x, y)
		case u.Info()&types.IsFloat != 0:
			return l.b.Cmp(logic.OpFEq, x.Leaves[0], y.Leaves[0])
		case u.Info()&types.IsComplex != 0:
			return l.b.And(l.b.Cmp(logic.OpFEq, x.Leaves[0], y.Leaves[0]), l.b.Cmp(logic.OpFEq, x.Leaves[1], y.Leaves[1]))
		}
		return l.allEqual(x.Leaves, y.Leaves)
	case *types.Struct:
		var parts []*logic.Term
		at := 0
		for i := range u.NumFields() {
			t := u.Field(i).Type()
			n := len(l.w.Layout(t))
			if u.Field(i).Name() != "_" {
				parts = append(parts, l.equal(Value{t, x.Leaves[at : at+n]}, Value{t, y.Leaves[at : at+n]}))
			}
			at += n
		}
		return l.b.And(parts...)
	case *types.Array:
		var parts []*logic.Term
		n := len(l.w.Layout(u.Elem()))
		for i := range int(u.Len()) {
			parts = append(parts, l.equal(Value{u.Elem(), x.Leaves[i*n : i*n+n]}, Value{u.Elem(), y.Leaves[i*n : i*n+n]}))
		}
		return l.b.And(parts...)
	case *types.Interface:
		return l.ifaceEqual(x, y)
	}
	return l.allEqual(x.Leaves, y.Leaves)
}

func (l *lowerer) allEqual(x, y []*logic.Term) *logic.Term {
	var parts []*logic.Term
	for i := range x {
		parts = append(parts, l.b.Eq(x[i], y[i]))
	}
	return l.b.And(parts...)
}

// ifaceEqConcrete compares an interface with a value of a type that is none.
func (l *lowerer) ifaceEqConcrete(i, v Value) *logic.Term {
	tag := l.b.Eq(i.Leaves[0], l.b.Const(logic.BV(32), uint64(l.w.Tag(v.Type))))
	return l.b.And(tag, l.equal(l.fromInterface(i, v.Type), v))
}

// maxBoxed is the number of types whose values in interfaces are compared by contents.
const maxBoxed = 8

// ifaceEqual compares two interfaces: same type, and same pointer or equal contents. Contents are compared for
// integers, strings, and the first few small types that the interface may hold; other boxed values are taken for equal
// only if they are one box.
func (l *lowerer) ifaceEqual(x, y Value) *logic.Term {
	same := []*logic.Term{l.b.And(l.b.Eq(x.Leaves[1], y.Leaves[1]), l.b.Eq(x.Leaves[2], y.Leaves[2])),
		l.b.Eq(x.Leaves[0], l.b.Const(logic.BV(32), 0))}
	for _, t := range l.compared(x.Type) {
		is := l.b.Eq(x.Leaves[0], l.b.Const(logic.BV(32), uint64(l.w.Tag(t))))
		if is.IsFalse() {
			continue
		}
		same = append(same, l.b.And(is, l.equal(l.fromInterface(x, t), l.fromInterface(y, t))))
	}
	return l.b.And(l.b.Eq(x.Leaves[0], y.Leaves[0]), l.b.Or(same...))
}

// compared lists the types whose values in an interface of type t are compared by contents.
func (l *lowerer) compared(t types.Type) []types.Type {
	var out []types.Type
	if t.Underlying().(*types.Interface).NumMethods() == 0 {
		out = append(out, types.Typ[types.Int], types.Typ[types.String])
	}
	tags, _, _ := l.w.dynamicTypes(t)
	var all []types.Type
	for _, n := range tags {
		all = append(all, l.w.TagType(n))
	}
	for _, dyn := range append(all, l.w.programs...) {
		if dyn == nil || !types.Implements(dyn, t.Underlying().(*types.Interface)) || dyn == types.Typ[types.Int] || dyn == types.Typ[types.String] || pointee(dyn) != nil || !types.Comparable(dyn) || len(out) == maxBoxed {
			continue
		}
		if len(l.w.Layout(dyn)) <= maxBoxed && !holdsInterface(dyn) {
			out = append(out, dyn)
		}
	}
	return out
}

// holdsInterface says that values of type t have interfaces among their parts, whose comparison goes on and on.
func holdsInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if holdsInterface(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return holdsInterface(u.Elem())
	}
	return false
}
