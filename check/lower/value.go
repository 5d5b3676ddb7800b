package lower

import (
	"go/constant"
	"go/types"
	"math"

	"dsd/check/ir"
	"dsd/check/logic"
)

// Value is a value of a Go type as terms, in the order of its layout.
type Value struct {
	Type   types.Type
	Leaves []*logic.Term
}

func (em *emitter) zeroLeaf(s logic.Sort) *logic.Term { return em.b.Const(s, 0) }

func (em *emitter) zero(t types.Type) Value {
	v := Value{Type: t}
	for _, leaf := range em.w.Layout(t) {
		v.Leaves = append(v.Leaves, em.zeroLeaf(leaf.Sort))
	}
	return v
}

func (em *emitter) valueOf(t types.Type, vars []*logic.Var) Value {
	v := Value{Type: t}
	for _, x := range vars {
		v.Leaves = append(v.Leaves, em.b.Var(x))
	}
	return v
}

func (em *emitter) int(n int64) *logic.Term { return em.b.Const(logic.Int, uint64(n)) }

// havoc is any value of type t: an input, as far as the formula is concerned.
func (em *emitter) havoc(name string, t types.Type) Value {
	vars := em.w.InputVars(name, t)
	for _, v := range vars {
		em.addVar(v)
	}
	em.emit(&ir.Havoc{Vars: vars})
	return em.valueOf(t, vars)
}

// choose is a value that depends on a condition.
func (em *emitter) choose(c *logic.Term, x, y Value) Value {
	v := Value{Type: x.Type}
	for i := range x.Leaves {
		v.Leaves = append(v.Leaves, em.b.Ite(c, x.Leaves[i], y.Leaves[i]))
	}
	return v
}

// toInt widens an integer to 64 bits by its own sign; what does not fit counts as out of any range.
func (em *emitter) toInt(v Value) *logic.Term {
	x := v.Leaves[0]
	if isSigned(v.Type) {
		return em.b.SExt(x, 64)
	}
	return em.b.ZExt(x, 64)
}

// constant is a constant of type t.
func (em *emitter) constant(c constant.Value, t types.Type) Value {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("a constant of type %s", t))
	}
	one := func(x *logic.Term) Value { return Value{t, []*logic.Term{x}} }
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return one(em.b.Bool(constant.BoolVal(c)))
	case info&types.IsInteger != 0:
		c = constant.ToInt(c)
		n := intBits(u)
		if i, ok := constant.Int64Val(c); ok {
			return one(em.b.Const(logic.BV(n), uint64(i)))
		}
		i, _ := constant.Uint64Val(c)
		return one(em.b.Const(logic.BV(n), i))
	case info&types.IsFloat != 0:
		return one(em.floatConst(c, floatBits(u)))
	case info&types.IsComplex != 0:
		n := 64
		if u.Kind() == types.Complex64 {
			n = 32
		}
		return Value{t, []*logic.Term{em.floatConst(constant.Real(c), n), em.floatConst(constant.Imag(c), n)}}
	case info&types.IsString != 0:
		return em.stringConst(constant.StringVal(c), t)
	}
	panic(unsupportedf("a constant of type %s", t))
}

func (em *emitter) floatConst(c constant.Value, n int) *logic.Term {
	if n == 32 {
		f, _ := constant.Float32Val(constant.ToFloat(c))
		return em.b.Const(logic.Float(32), uint64(math.Float32bits(f)))
	}
	f, _ := constant.Float64Val(constant.ToFloat(c))
	return em.b.Const(logic.Float(64), math.Float64bits(f))
}

func (em *emitter) stringConst(s string, t types.Type) Value {
	obj := em.b.Const(logic.Obj, 0)
	if s != "" {
		obj = em.b.Const(logic.Obj, uint64(em.w.literal(s)))
	}
	return Value{t, []*logic.Term{obj, em.b.Const(logic.Slot, 0), em.int(int64(len(s)))}}
}

// assignable converts v to t where Go does so without being asked: a value into an interface, an untyped boolean.
func (em *emitter) assignable(v Value, t types.Type) Value {
	if types.IsInterface(t) && !types.IsInterface(v.Type) {
		return em.toInterface(v, t)
	}
	return Value{t, v.Leaves}
}

// toInterface puts v into an interface: a pointer as it is, anything else into a box that is never written again.
func (em *emitter) toInterface(v Value, t types.Type) Value {
	tag := em.b.Const(logic.BV(32), uint64(em.w.Tag(v.Type)))
	if pointee(v.Type) != nil {
		return Value{t, []*logic.Term{tag, v.Leaves[0], v.Leaves[1]}}
	}
	obj := em.newObject()
	em.storeMem(obj, em.b.Const(logic.Slot, 0), v.Type, "box "+em.w.typeKey(v.Type), v)
	return Value{t, []*logic.Term{tag, obj, em.b.Const(logic.Slot, 0)}}
}

// fromInterface is the value of type t inside an interface that holds one.
func (em *emitter) fromInterface(v Value, t types.Type) Value {
	if pointee(t) != nil {
		return Value{t, []*logic.Term{v.Leaves[1], v.Leaves[2]}}
	}
	return em.loadMem(v.Leaves[1], em.b.Const(logic.Slot, 0), t, "box "+em.w.typeKey(t))
}

// hasType says that an interface holds type t, or a type that implements the interface t.
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
	if types.Identical(iface, types.Universe.Lookup("error").Type().Underlying()) {
		any = append(any, is(logic.TagRuntimeError))
	}
	for _, c := range em.w.candidates {
		if types.Implements(c, iface) {
			any = append(any, is(em.w.Tag(c)))
		}
	}
	return em.b.Or(any...)
}
