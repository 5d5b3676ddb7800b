package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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
		return l.ifaceEqConcrete(x, l.exprTo(e.Y, types.Default(yt)), e.OpPos)
	case types.IsInterface(yt) && !types.IsInterface(xt):
		x := l.exprTo(e.X, types.Default(xt))
		return l.ifaceEqConcrete(l.expr(e.Y), x, e.OpPos)
	}
	t := l.operandType(e)
	x := l.exprTo(e.X, t)
	y := l.exprTo(e.Y, t)
	l.noteComparison(e.Pos(), x, y)
	return l.compare(x, y, e.OpPos)
}

// noteComparison notes a comparison for a branch on it, if it is one of integers.
func (l *lowerer) noteComparison(pos token.Pos, x, y Value) {
	if u, ok := x.Type.Underlying().(*types.Basic); ok && u.Info()&types.IsInteger != 0 {
		l.compared = append(l.compared, ir.Comparison{Pos: pos, X: x.Leaves[0], Y: y.Leaves[0]})
	}
}

// isUncomparable returns the condition that values of the dynamic type with that tag cannot be
// compared.
func (em *emitter) isUncomparable(tag *logic.Term) *logic.Term {
	return em.b.And(em.b.Cmp(logic.OpULt, em.b.Const(tag.Sort, maxComparable), tag),
		em.b.Cmp(logic.OpULe, tag, em.b.Const(tag.Sort, maxTag)))
}

// isZero returns v == nil for a pointer, slice, map, channel, function or interface.
func (em *emitter) isZero(v Value) *logic.Term {
	return em.b.Eq(v.Leaves[0], em.zeroLeaf(v.Leaves[0].Sort))
}

// compare returns x == y for two values of one type. It asserts that the comparison does not panic.
func (em *emitter) compare(x, y Value, pos token.Pos) *logic.Term {
	eq, bad := em.comparison(x, y, maxNested)
	em.assertComparable(bad, pos)
	return eq
}

// equal returns x == y for two values of one type that can be compared.
func (em *emitter) equal(x, y Value) *logic.Term {
	eq, _ := em.comparison(x, y, maxNested)
	return eq
}

// comparison returns the condition x == y for two values of one type, and the condition that the
// comparison panics. It compares in Go's order: what comes after a part that differs is not looked
// at, and neither panics.
//
//	string       equal lengths and bytes
//	float        IEEE equality, by which NaN is different from itself
//	struct       all fields but blank ones are equal
//	array        all elements are equal
//	interface    see ifaceComparison
//	large        unknown
//	others       all scalars are equal
//
// Values of interfaces in boxes are compared up to nested boxes deep.
func (em *emitter) comparison(x, y Value, nested int) (eq, bad *logic.Term) {
	eq, bad = em.b.True(), em.b.False()
	if em.w.IsLarge(x.Type) {
		if em.cur == nil {
			panic(unsupportedf("a comparison of large values"))
		}
		return em.unknown("equal", "whether two large values are equal", types.Typ[types.Bool]).Leaves[0], bad
	}
	part := func(t types.Type, from, to int) {
		e, p := em.comparison(Value{t, x.Leaves[from:to]}, Value{t, y.Leaves[from:to]}, nested)
		bad = em.b.Or(bad, em.b.And(eq, p))
		eq = em.b.And(eq, e)
	}
	switch u := x.Type.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return em.stringEqual(x, y), bad
		case u.Info()&types.IsFloat != 0:
			return em.b.Cmp(logic.OpFEq, x.Leaves[0], y.Leaves[0]), bad
		case u.Info()&types.IsComplex != 0:
			return em.b.And(
				em.b.Cmp(logic.OpFEq, x.Leaves[0], y.Leaves[0]),
				em.b.Cmp(logic.OpFEq, x.Leaves[1], y.Leaves[1])), bad
		}
		return em.allEqual(x.Leaves, y.Leaves), bad
	case *types.Struct:
		for i := range u.NumFields() {
			if u.Field(i).Name() != "_" {
				from, to := em.w.fieldLeaves(u, i)
				part(u.Field(i).Type(), from, to)
			}
		}
		return eq, bad
	case *types.Array:
		n := len(em.w.Layout(u.Elem()))
		for i := range int(u.Len()) {
			part(u.Elem(), i*n, i*n+n)
		}
		return eq, bad
	case *types.Interface:
		return em.ifaceComparison(x, y, nested)
	case *types.Pointer:
		eq := em.allEqual(x.Leaves, y.Leaves)
		if !hasTypeParam(u) && em.w.prog.Sizes.Sizeof(u.Elem()) == 0 && em.cur != nil {
			// Different variables of no size may have one address.
			any := em.unknown("address", "whether variables of no size have one address", types.Typ[types.Bool]).Leaves[0]
			eq = em.b.Or(eq, em.b.And(em.b.Not(em.isZero(x)), em.b.Not(em.isZero(y)), any))
		}
		return eq, bad
	}
	return em.allEqual(x.Leaves, y.Leaves), bad
}

// allEqual returns the condition that x[i] == y[i] for all i.
func (em *emitter) allEqual(x, y []*logic.Term) *logic.Term {
	var parts []*logic.Term
	for i := range x {
		parts = append(parts, em.b.Eq(x[i], y[i]))
	}
	return em.b.And(parts...)
}

// ifaceEqConcrete returns i == v for an interface i and a value v of another type. It asserts that
// the comparison does not panic.
func (em *emitter) ifaceEqConcrete(i, v Value, pos token.Pos) *logic.Term {
	is := em.b.Eq(i.Leaves[0], em.b.Const(logic.BV(32), uint64(em.w.Tag(v.Type))))
	eq, bad := em.comparison(em.fromInterface(i, v.Type), v, maxNested)
	em.assertComparable(em.b.And(is, bad), pos)
	return em.b.And(is, eq)
}

// assertComparable asserts that a comparison does not panic, if it may.
func (em *emitter) assertComparable(bad *logic.Term, pos token.Pos) {
	if !bad.IsFalse() {
		em.assert(em.b.Not(bad), schemas.Uncomparable, pos,
			"values of an uncomparable type are compared")
	}
}

const (
	// maxBoxed is the number of scalars up to which values in interfaces are compared by contents.
	maxBoxed = 16
	// maxCompared is the number of types whose values in an interface are compared by contents.
	maxCompared = 64
	// maxNested is the number of boxes, one in the other, that are compared by contents.
	maxNested = 2
)

// ifaceComparison returns x == y for two interfaces, and the condition that the comparison panics.
// They are equal if the types are the same, and the pointers are the same or the contents are equal.
// Contents are compared for comparedTypes. Whether other values in two boxes are equal is not known.
func (em *emitter) ifaceComparison(x, y Value, nested int) (eq, bad *logic.Term) {
	b, tag := em.b, x.Leaves[0]
	same := b.Eq(tag, y.Leaves[0])
	bad = b.And(same, em.isUncomparable(tag))
	oneBox := b.And(b.Eq(x.Leaves[1], y.Leaves[1]), b.Eq(x.Leaves[2], y.Leaves[2]))
	any := []*logic.Term{b.Eq(tag, b.Const(tag.Sort, 0))}
	compared, all := em.comparedTypes(x.Type, nested)
	var known []*logic.Term
	for _, t := range compared {
		is := b.Eq(tag, b.Const(tag.Sort, uint64(em.w.Tag(t))))
		if is.IsFalse() {
			continue
		}
		known = append(known, is)
		e, p := em.comparison(em.fromInterface(x, t), em.fromInterface(y, t), nested-1)
		any = append(any, b.And(is, e))
		bad = b.Or(bad, b.And(same, is, p))
	}
	other := b.And(b.Not(b.Or(known...)), oneBox)
	if !all && em.cur != nil {
		pointer := em.holdsPointer(x.Type, tag)
		unknown := em.unknown("equal", "whether two values in interfaces are equal", types.Typ[types.Bool]).Leaves[0]
		other = b.And(b.Not(b.Or(known...)), b.Or(oneBox, b.And(b.Not(pointer), unknown)))
	}
	return b.And(same, b.Or(append(any, other)...)), bad
}

// holdsPointer returns the condition that the dynamic type with that tag, of an interface of type t,
// is a pointer: its value is not in a box.
func (em *emitter) holdsPointer(t types.Type, tag *logic.Term) *logic.Term {
	var any []*logic.Term
	for _, dyn := range em.w.implementers(t) {
		if pointee(dyn) != nil {
			any = append(any, em.b.Eq(tag, em.b.Const(tag.Sort, uint64(em.w.Tag(dyn)))))
		}
	}
	return em.b.Or(any...)
}

// comparedTypes returns the types whose values in an interface of type t are compared by contents:
// those that the testee puts into interfaces or an input may have. It reports whether these are all
// types of values in boxes that are known and can be compared. It computes them once for an interface,
// and again if more types were found since.
func (em *emitter) comparedTypes(t types.Type, nested int) (out []types.Type, all bool) {
	k := comparedKey{em.w.typeKey(t), nested == 0, len(em.w.boxedTypes)}
	if c, ok := em.w.compared[k]; ok {
		return c.types, c.all
	}
	out, all = em.findComparedTypes(t, nested)
	em.w.compared[k] = compared{out, all}
	return out, all
}

// comparedKey and compared memoize comparedTypes: the types for an interface, in the innermost box or
// not, while so many boxed types are known.
type comparedKey struct {
	iface     string
	innermost bool
	boxed     int
}

type compared struct {
	types []types.Type
	all   bool
}

func (em *emitter) findComparedTypes(t types.Type, nested int) (out []types.Type, all bool) {
	iface := t.Underlying().(*types.Interface)
	var list []types.Type
	if iface.NumMethods() == 0 {
		list = append(list, types.Typ[types.Int], types.Typ[types.String])
	}
	tags, _, _ := em.w.dynamicTypes(t)
	all = true
	for _, n := range tags {
		list = append(list, em.w.TagType(n))
		all = all && n != TagOther
	}
	seen := map[uint32]bool{}
	for _, dyn := range slices.Concat(list, em.w.boxedTypes, em.w.programTypes) {
		if dyn == nil || !types.Implements(dyn, iface) || pointee(dyn) != nil ||
			!types.Comparable(dyn) || seen[em.w.Tag(dyn)] {
			continue
		}
		seen[em.w.Tag(dyn)] = true
		if len(out) == maxCompared || len(em.w.Layout(dyn)) > maxBoxed ||
			nested == 0 && holdsInterface(dyn) {
			all = false
			continue
		}
		out = append(out, dyn)
	}
	return out, all
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
