package lower

import (
	"go/constant"
	"go/types"
	"math"

	"dsd/check/ir"
	"dsd/check/logic"
)

// A Value is a value of a Go type: one term for each scalar of its layout, in order.
type Value struct {
	Type   types.Type
	Leaves []*logic.Term
}

// tuple returns the value of type t with these scalars.
func tuple(t types.Type, leaves ...*logic.Term) Value { return Value{t, leaves} }

// int returns a constant length or index. These are numbers of 64 bits on all platforms.
func (em *emitter) int(n int64) *logic.Term { return em.b.Const(logic.Int, uint64(n)) }

// intValue returns a length or index as a value of type int.
func (em *emitter) intValue(n *logic.Term) Value {
	return tuple(types.Typ[types.Int], em.b.Extract(em.w.wordBits-1, 0, n))
}

// slot0 returns the first slot of an object.
func (em *emitter) slot0() *logic.Term { return em.b.Const(logic.Slot, 0) }

// nilObj returns the object of nil.
func (em *emitter) nilObj() *logic.Term { return em.b.Const(logic.Obj, 0) }

// zeroLeaf returns the zero of a sort.
func (em *emitter) zeroLeaf(s logic.Sort) *logic.Term { return em.b.Const(s, 0) }

// zero returns the zero value of type t.
func (em *emitter) zero(t types.Type) Value {
	if em.w.IsLarge(t) {
		return tuple(t, em.alloc(t))
	}
	v := Value{Type: t}
	for _, leaf := range em.w.Layout(t) {
		v.Leaves = append(v.Leaves, em.zeroLeaf(leaf.Sort))
	}
	return v
}

// valueOf returns the value that vars hold, the variables of a value of type t.
func (em *emitter) valueOf(t types.Type, vars []*logic.Var) Value {
	v := Value{Type: t}
	for _, x := range vars {
		v.Leaves = append(v.Leaves, em.b.Var(x))
	}
	return v
}

// havoc returns any value of type t. For the solver, it is an input.
func (em *emitter) havoc(name string, t types.Type) Value {
	vars := em.w.InputVars(name, t)
	for _, v := range vars {
		em.addVar(v)
	}
	em.emit(&ir.Havoc{Vars: vars})
	return em.valueOf(t, vars)
}

// unknown returns any value of type t, which no caller can choose; what says in words what it is.
func (em *emitter) unknown(name, what string, t types.Type) Value {
	vars := em.w.InputVars(name, t)
	for _, v := range vars {
		em.addVar(v)
	}
	em.emit(&ir.Havoc{Vars: vars, Unknown: what})
	return em.valueOf(t, vars)
}

// choose returns x if c is true and y if not. It cannot be used to skip commands: both have been
// evaluated.
func (em *emitter) choose(c *logic.Term, x, y Value) Value {
	v := Value{Type: x.Type}
	for i := range x.Leaves {
		v.Leaves = append(v.Leaves, em.b.Ite(c, x.Leaves[i], y.Leaves[i]))
	}
	return v
}

// toInt extends an integer to 64 bits according to the signedness of its type. Unsigned numbers
// past the range of int become negative, which is out of range for every index.
func (em *emitter) toInt(v Value) *logic.Term {
	x := v.Leaves[0]
	if isSigned(v.Type) {
		return em.b.SExt(x, 64)
	}
	return em.b.ZExt(x, 64)
}

// constant returns the constant c of type t, whose underlying type is basic.
func (em *emitter) constant(c constant.Value, t types.Type) Value {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("a constant of type %s", t))
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return tuple(t, em.b.Bool(constant.BoolVal(c)))
	case info&types.IsInteger != 0:
		c = constant.ToInt(c)
		n := em.w.intBits(u)
		if i, ok := constant.Int64Val(c); ok {
			return tuple(t, em.b.Const(logic.BV(n), uint64(i)))
		}
		i, _ := constant.Uint64Val(c)
		return tuple(t, em.b.Const(logic.BV(n), i))
	case info&types.IsFloat != 0:
		return tuple(t, em.floatConst(c, floatBits(u)))
	case info&types.IsComplex != 0:
		n := complexPartBits(u)
		return tuple(t, em.floatConst(constant.Real(c), n),
			em.floatConst(constant.Imag(c), n))
	case info&types.IsString != 0:
		return em.stringConst(constant.StringVal(c), t)
	}
	panic(unsupportedf("a constant of type %s", t))
}

// floatConst returns a floating-point constant of n bits.
func (em *emitter) floatConst(c constant.Value, n int) *logic.Term {
	if n == 32 {
		f, _ := constant.Float32Val(constant.ToFloat(c))
		return em.b.Const(logic.Float(32), uint64(math.Float32bits(f)))
	}
	f, _ := constant.Float64Val(constant.ToFloat(c))
	return em.b.Const(logic.Float(64), math.Float64bits(f))
}

// stringConst returns a string constant of type t. The empty string has no object.
func (em *emitter) stringConst(s string, t types.Type) Value {
	obj := em.nilObj()
	if s != "" {
		obj = em.b.Const(logic.Obj, uint64(em.w.literal(s)))
	}
	return tuple(t, obj, em.slot0(), em.int(int64(len(s))))
}

// assignable converts v to type t as an assignment does: a value becomes an interface, or an
// untyped boolean gets a type.
func (em *emitter) assignable(v Value, t types.Type) Value {
	if types.IsInterface(t) && !types.IsInterface(v.Type) {
		return em.toInterface(v, t)
	}
	return Value{t, v.Leaves}
}

// toInterface converts v to interface type t. A pointer is stored in the interface itself, and any
// other value in a box, a new object that is never written again.
func (em *emitter) toInterface(v Value, t types.Type) Value {
	tag := em.b.Const(logic.BV(32), uint64(em.w.Tag(v.Type)))
	em.w.addBoxed(v.Type)
	if pointee(v.Type) != nil {
		return tuple(t, tag, v.Leaves[0], v.Leaves[1])
	}
	obj := em.newObjectOf(v.Type)
	em.storeMem(obj, em.slot0(), v.Type, em.w.boxClass(v.Type), v)
	return tuple(t, tag, obj, em.slot0())
}

// fromInterface returns the value of type t in interface v, which must hold one.
func (em *emitter) fromInterface(v Value, t types.Type) Value {
	if pointee(t) != nil {
		return tuple(t, v.Leaves[1], v.Leaves[2])
	}
	return em.loadMem(v.Leaves[1], em.slot0(), t, em.w.boxClass(t))
}

// isRuntimeError reports whether the runtime's errors implement an interface: it has their methods
// alone.
func isRuntimeError(iface *types.Interface) bool {
	for i := range iface.NumMethods() {
		m := iface.Method(i)
		sig := m.Signature()
		switch {
		case m.Name() == "Error" && sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
			sig.Results().At(0).Type() == types.Typ[types.String]:
		case m.Name() == "RuntimeError" && sig.Params().Len() == 0 && sig.Results().Len() == 0:
		default:
			return false
		}
	}
	return true
}

// hasType returns the condition that interface x holds a value of type t or, if t is an interface,
// of a type that implements t. Of those, the testee's types are known, and run-time errors for type
// error.
func (em *emitter) hasType(x Value, t types.Type) *logic.Term {
	tag := x.Leaves[0]
	is := func(n uint32) *logic.Term { return em.b.Eq(tag, em.b.Const(tag.Sort, uint64(n))) }
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return is(em.w.Tag(t))
	}
	if iface.NumMethods() == 0 {
		return em.b.Not(is(0))
	}
	if types.Implements(x.Type, iface) {
		return em.b.Not(is(0))
	}
	var any []*logic.Term
	if em.w.open {
		any = append(any, em.b.And(is(TagOther), em.havoc("implements", types.Typ[types.Bool]).Leaves[0]))
	}
	if isRuntimeError(iface) {
		any = append(any, is(logic.TagRuntimeError))
	}
	for _, c := range em.w.implementers(t) {
		any = append(any, is(em.w.Tag(c)))
	}
	return em.b.Or(any...)
}
