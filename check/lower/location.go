package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// A variable is a local Go variable. It is boxed, in an object, if its address may be taken.
type variable struct {
	typ   types.Type
	boxed bool
	obj   *logic.Term  // if boxed
	vars  []*logic.Var // if not
}

// newBoxed returns a new unnamed variable of type t in an object, with the zero value.
func (em *emitter) newBoxed(t types.Type) *variable {
	return &variable{typ: t, boxed: true, obj: em.alloc(t)}
}

// A location holds a value and can be loaded from and stored to. It is one of
//
//   - the blank identifier: blank is true;
//   - an entry of a map: m is set;
//   - a part of an object: obj is set;
//   - scalar variables.
type location struct {
	typ types.Type

	vars []*logic.Var

	obj, slot *logic.Term
	class     string // overrides the memory class of an indivisible type, unless it is ""

	m      *types.Map
	mapObj *logic.Term
	mapKey Value
	pos    token.Pos // of panics

	blank bool

	// checks have to hold when the value is assigned; see place.
	checks []*ir.Assert
}

// memory returns the location of a value of type t in an object.
func memory(obj, slot *logic.Term, t types.Type) location {
	return location{typ: t, obj: obj, slot: slot}
}

// load returns the value in a location. If that is in scalar variables, the value changes with
// them; see snapshot.
func (em *emitter) load(at location) Value {
	switch {
	case at.m != nil:
		v, _ := em.mapLoad(at)
		return v
	case at.obj != nil:
		return em.loadMem(at.obj, at.slot, at.typ, at.class)
	}
	return em.valueOf(at.typ, at.vars)
}

// store stores v, a value of the location's type.
func (em *emitter) store(at location, v Value) {
	switch {
	case at.blank:
	case at.m != nil:
		em.mapStore(at, v)
	case at.obj != nil:
		em.storeMem(at.obj, at.slot, at.typ, at.class, v)
	default:
		for i, x := range at.vars {
			em.assign(x, v.Leaves[i])
		}
	}
}

// loadVar returns the value of a local variable.
func (em *emitter) loadVar(v *variable) Value {
	if v.boxed {
		return em.loadMem(v.obj, em.slot0(), v.typ, "")
	}
	return em.valueOf(v.typ, v.vars)
}

// storeVar stores to a local variable.
func (em *emitter) storeVar(v *variable, val Value) {
	if v.boxed {
		em.storeMem(v.obj, em.slot0(), v.typ, "", val)
		return
	}
	for i, x := range v.vars {
		em.assign(x, val.Leaves[i])
	}
}

// loadMem returns the value of type t in an object from slot on. class overrides the memory class
// if t is indivisible.
func (em *emitter) loadMem(obj, slot *logic.Term, t types.Type, class string) Value {
	if em.w.IsLarge(t) {
		return em.copyLarge(t, em.newObject(), em.slot0(), obj, slot)
	}
	v := Value{Type: t}
	for _, leaf := range em.w.Layout(t) {
		if class != "" && isLeaf(t) {
			leaf.Class = class
		}
		m := em.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		v.Leaves = append(v.Leaves,
			em.b.Select(em.b.Var(m), obj, em.offset(slot, leaf.Slot)))
	}
	return v
}

// storeMem stores a value of type t in an object from slot on. class overrides the memory class if
// t is indivisible.
func (em *emitter) storeMem(obj, slot *logic.Term, t types.Type, class string, v Value) {
	if em.w.IsLarge(t) {
		em.copyLarge(t, obj, slot, v.Leaves[0], em.slot0())
		return
	}
	for i, leaf := range em.w.Layout(t) {
		if class != "" && isLeaf(t) {
			leaf.Class = class
		}
		m := em.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		em.write(m, obj, em.b.Store(em.b.Var(m), obj, em.offset(slot, leaf.Slot), v.Leaves[i]))
	}
}

// copyLarge copies a large value between objects. It returns the one at the beginning of object to.
func (em *emitter) copyLarge(t types.Type, to, toSlot, obj, slot *logic.Term) Value {
	n := em.int(int64(em.w.Slots(t)))
	for _, m := range em.w.Contents(t) {
		em.assign(m, em.b.Copy(em.b.Var(m), to, toSlot, n, em.b.Var(m), obj, slot))
	}
	return tuple(t, to)
}

// offset returns the slot n past slot.
func (em *emitter) offset(slot *logic.Term, n int) *logic.Term {
	return em.b.Add(slot, em.b.Const(logic.Slot, uint64(n)))
}

// elemSlot returns the slot of element i of an array or slice that begins at slot.
func (em *emitter) elemSlot(slot, i *logic.Term, elem types.Type) *logic.Term {
	return em.b.Add(slot, em.b.Mul(i, em.int(int64(em.w.Slots(elem)))))
}

// newObject returns a fresh object, whose contents are not defined.
func (em *emitter) newObject() *logic.Term { return em.newObjectOf(nil) }

// newObjectOf is newObject for values of type t; nil if they have none.
func (em *emitter) newObjectOf(t types.Type) *logic.Term {
	em.temps++
	v := em.newVar(fmt.Sprintf("new%d", em.temps), logic.Obj)
	em.emit(em.allocation(v, t))
	return em.b.Var(v)
}

// allocation returns the command that makes v a fresh object for values of type t, or nil.
func (em *emitter) allocation(v *logic.Var, t types.Type) *ir.Alloc {
	what := "allocation"
	if t != nil {
		what += " " + em.w.typeKey(t)
	}
	return &ir.Alloc{Var: v, Place: em.place(what)}
}

// alloc returns a fresh object for a value of type t, with zeros.
func (em *emitter) alloc(t types.Type) *logic.Term {
	obj := em.newObjectOf(t)
	em.clear(obj, t)
	return obj
}

// clear sets all slots of an object that holds values of type t to zero.
func (em *emitter) clear(obj *logic.Term, t types.Type) {
	for _, m := range em.w.Contents(t) {
		em.write(m, obj, em.b.Fill(em.b.Var(m), obj, em.zeroLeaf(m.Sort.Value())))
	}
}

// copyElems copies n elements between objects. As with copy, they may overlap.
func (em *emitter) copyElems(elem types.Type, toObj, toSlot, n, obj, slot *logic.Term) {
	size := em.int(int64(em.w.Slots(elem)))
	count := em.temp(em.b.Mul(n, size))
	for _, m := range em.w.Contents(elem) {
		em.assign(m, em.b.Copy(em.b.Var(m), toObj, toSlot, count, em.b.Var(m), obj, slot))
	}
}

// sliceOf returns a new slice of type t with these elements, or nil if there are none.
func (em *emitter) sliceOf(vals []Value, t, elem types.Type) Value {
	if len(vals) == 0 {
		return em.zero(t)
	}
	obj := em.newObjectOf(t)
	em.clear(obj, elem)
	for i, v := range vals {
		em.storeMem(obj, em.elemSlot(em.slot0(), em.int(int64(i)), elem), elem, "", v)
	}
	n := em.int(int64(len(vals)))
	return tuple(t, obj, em.slot0(), n, n)
}

// deref returns the location that p points to, and asserts that p is not nil.
func (em *emitter) deref(p Value, pos token.Pos) location {
	obj := p.Leaves[0]
	em.assertNotNil(obj, pos, "nil pointer dereference")
	return memory(obj, p.Leaves[1], pointee(p.Type))
}

// fields returns the location at the end of a path of fields, through embedded pointers. pos is the
// position of nil dereferences.
func (em *emitter) fields(at location, index []int, pos token.Pos) location {
	for _, i := range index {
		if pointee(at.typ) != nil {
			at = em.deref(em.load(at), pos)
		}
		at = em.field(at, i)
	}
	return at
}

// field returns the location of the i-th field of the struct at a location.
func (em *emitter) field(at location, i int) location {
	s, ok := at.typ.Underlying().(*types.Struct)
	if !ok {
		panic(unsupportedf("a field of %s", at.typ))
	}
	f := s.Field(i)
	out := location{typ: f.Type()}
	if at.obj != nil {
		slot := 0
		for j := range i {
			slot += em.w.Slots(s.Field(j).Type())
		}
		out.obj, out.slot = at.obj, em.offset(at.slot, slot)
		if isLeaf(f.Type()) {
			out.class = em.w.fieldClass(at.typ, f)
		}
		return out
	}
	if at.m != nil {
		panic(unsupportedf("a field of a map's entry as a place"))
	}
	from, to := em.w.fieldLeaves(s, i)
	out.vars = at.vars[from:to]
	return out
}

// fieldOfValue returns the field at the end of a path of fields in a struct value. pos is the
// position of nil dereferences.
func (em *emitter) fieldOfValue(v Value, index []int, pos token.Pos) Value {
	for n, i := range index {
		if pointee(v.Type) != nil {
			return em.load(em.fields(em.deref(v, pos), index[n:], pos))
		}
		if em.w.IsLarge(v.Type) {
			v = em.load(em.field(memory(v.Leaves[0], em.slot0(), v.Type), i))
			continue
		}
		s := v.Type.Underlying().(*types.Struct)
		from, to := em.w.fieldLeaves(s, i)
		v = Value{s.Field(i).Type(), v.Leaves[from:to]}
	}
	return v
}

// arrayElem returns the location of element i of an array, which must be in an object.
func (em *emitter) arrayElem(at location, i *logic.Term, a *types.Array) location {
	if at.obj == nil {
		panic(unsupportedf("an element of an array in registers"))
	}
	return memory(at.obj, em.elemSlot(at.slot, i, a.Elem()), a.Elem())
}

// addressOf returns the pointer of type t to a location, which must be in an object.
func (em *emitter) addressOf(at location, t types.Type) Value {
	if at.obj == nil {
		panic(unsupportedf("the address of a variable that has none"))
	}
	return tuple(t, at.obj, at.slot)
}
