package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// order returns x op y for <, <=, > or >= on integers, floats or strings.
func (em *emitter) order(op token.Token, x, y Value) *logic.Term {
	if op == token.GTR || op == token.GEQ {
		x, y = y, x
	}
	strict := op == token.LSS || op == token.GTR
	u := x.Type.Underlying().(*types.Basic)
	if u.Info()&types.IsString != 0 {
		return em.stringLess(x, y, strict)
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
	return em.b.Cmp(f, x.Leaves[0], y.Leaves[0])
}

// equality returns the condition e.X == e.Y, for == and != alike. Interfaces with the same
// uncomparable type panic.
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
	l.assertComparable(x, y, e.OpPos)
	l.noteComparison(e.Pos(), x, y)
	return l.equal(x, y)
}

// noteComparison notes a comparison for a branch on it, if it is one of integers.
func (l *lowerer) noteComparison(pos token.Pos, x, y Value) {
	if u, ok := x.Type.Underlying().(*types.Basic); ok && u.Info()&types.IsInteger != 0 {
		l.compared = append(l.compared, ir.Comparison{Pos: pos, X: x.Leaves[0], Y: y.Leaves[0]})
	}
}

// assertComparable asserts that no interfaces at the same position in x and y hold the same
// uncomparable type. Elements of arrays are not looked at.
func (em *emitter) assertComparable(x, y Value, pos token.Pos) {
	if hasTypeParam(x.Type) {
		return
	}
	switch u := x.Type.Underlying().(type) {
	case *types.Interface:
		same := em.b.Eq(x.Leaves[0], y.Leaves[0])
		bad := em.b.And(same, em.isUncomparable(x.Leaves[0]))
		em.assert(em.b.Not(bad), schemas.Uncomparable, pos,
			"values of an uncomparable type are compared")
	case *types.Struct:
		for i := range u.NumFields() {
			t := u.Field(i).Type()
			from, to := em.w.fieldLeaves(u, i)
			em.assertComparable(Value{t, x.Leaves[from:to]},
				Value{t, y.Leaves[from:to]}, pos)
		}
	}
}

// isUncomparable returns the condition that values of the dynamic type with that tag cannot be
// compared.
func (em *emitter) isUncomparable(tag *logic.Term) *logic.Term {
	var any []*logic.Term
	for _, n := range em.w.uncomparables() {
		any = append(any, em.b.Eq(tag, em.b.Const(tag.Sort, uint64(n))))
	}
	return em.b.Or(any...)
}

// isZero returns v == nil for a pointer, slice, map, channel, function or interface.
func (em *emitter) isZero(v Value) *logic.Term {
	return em.b.Eq(v.Leaves[0], em.zeroLeaf(v.Leaves[0].Sort))
}

// equal returns x == y for two values of one type:
//
//	string       equal lengths and bytes
//	float        IEEE equality, by which NaN is different from itself
//	struct       all fields but blank ones are equal
//	array        all elements are equal
//	interface    see ifaceEqual
//	others       all scalars are equal
func (em *emitter) equal(x, y Value) *logic.Term {
	switch u := x.Type.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return em.stringEqual(x, y)
		case u.Info()&types.IsFloat != 0:
			return em.b.Cmp(logic.OpFEq, x.Leaves[0], y.Leaves[0])
		case u.Info()&types.IsComplex != 0:
			return em.b.And(
				em.b.Cmp(logic.OpFEq, x.Leaves[0], y.Leaves[0]),
				em.b.Cmp(logic.OpFEq, x.Leaves[1], y.Leaves[1]))
		}
		return em.allEqual(x.Leaves, y.Leaves)
	case *types.Struct:
		var parts []*logic.Term
		for i := range u.NumFields() {
			if u.Field(i).Name() == "_" {
				continue
			}
			t := u.Field(i).Type()
			from, to := em.w.fieldLeaves(u, i)
			parts = append(parts,
				em.equal(Value{t, x.Leaves[from:to]}, Value{t, y.Leaves[from:to]}))
		}
		return em.b.And(parts...)
	case *types.Array:
		var parts []*logic.Term
		n := len(em.w.Layout(u.Elem()))
		for i := range int(u.Len()) {
			xi, yi := x.Leaves[i*n:i*n+n], y.Leaves[i*n:i*n+n]
			parts = append(parts, em.equal(Value{u.Elem(), xi}, Value{u.Elem(), yi}))
		}
		return em.b.And(parts...)
	case *types.Interface:
		return em.ifaceEqual(x, y)
	}
	return em.allEqual(x.Leaves, y.Leaves)
}

// allEqual returns the condition that x[i] == y[i] for all i.
func (em *emitter) allEqual(x, y []*logic.Term) *logic.Term {
	var parts []*logic.Term
	for i := range x {
		parts = append(parts, em.b.Eq(x[i], y[i]))
	}
	return em.b.And(parts...)
}

// ifaceEqConcrete returns i == v for an interface i and a value v of another type.
func (em *emitter) ifaceEqConcrete(i, v Value) *logic.Term {
	tag := em.b.Eq(i.Leaves[0], em.b.Const(logic.BV(32), uint64(em.w.Tag(v.Type))))
	return em.b.And(tag, em.equal(em.fromInterface(i, v.Type), v))
}

// maxBoxed is the number of types whose values in interfaces are compared by contents, and the
// number of scalars up to which they are.
const maxBoxed = 8

// ifaceEqual returns x == y for two interfaces: the types are the same, and the pointers are the
// same or the contents are equal. Contents are compared for comparedTypes; other boxed values are
// taken to be equal only if they are one box.
func (em *emitter) ifaceEqual(x, y Value) *logic.Term {
	same := []*logic.Term{
		em.b.And(em.b.Eq(x.Leaves[1], y.Leaves[1]), em.b.Eq(x.Leaves[2], y.Leaves[2])),
		em.b.Eq(x.Leaves[0], em.b.Const(logic.BV(32), 0)),
	}
	for _, t := range em.comparedTypes(x.Type) {
		is := em.b.Eq(x.Leaves[0], em.b.Const(logic.BV(32), uint64(em.w.Tag(t))))
		if is.IsFalse() {
			continue
		}
		same = append(same,
			em.b.And(is, em.equal(em.fromInterface(x, t), em.fromInterface(y, t))))
	}
	return em.b.And(em.b.Eq(x.Leaves[0], y.Leaves[0]), em.b.Or(same...))
}

// comparedTypes returns the types whose values in an interface of type t are compared by contents:
// integers and strings, and the first few small types that the interface may hold.
func (em *emitter) comparedTypes(t types.Type) []types.Type {
	iface := t.Underlying().(*types.Interface)
	var out []types.Type
	if iface.NumMethods() == 0 {
		out = append(out, types.Typ[types.Int], types.Typ[types.String])
	}
	tags, _, _ := em.w.dynamicTypes(t)
	var all []types.Type
	for _, n := range tags {
		all = append(all, em.w.TagType(n))
	}
	for _, dyn := range append(all, em.w.programTypes...) {
		switch {
		case len(out) == maxBoxed, dyn == nil, !types.Implements(dyn, iface):
			continue
		case dyn == types.Typ[types.Int], dyn == types.Typ[types.String]:
			continue // they are in out if the interface can hold them
		case pointee(dyn) != nil, !types.Comparable(dyn):
			continue // not boxed, or never equal
		}
		if len(em.w.Layout(dyn)) <= maxBoxed && !holdsInterface(dyn) {
			out = append(out, dyn)
		}
	}
	return out
}

// holdsInterface reports whether an interface is a part of values of type t. Comparing such values
// could recurse without end.
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
