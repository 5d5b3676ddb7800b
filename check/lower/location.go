package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// variable is a Go variable of a function: scalars, or an object if its address may be taken.
type variable struct {
	typ   types.Type
	vars  []*logic.Var // of a scalar variable
	obj   *logic.Term  // of a boxed one
	boxed bool
}

// location is a place that holds a value: scalars of a local variable, a part of an object, or an entry of a map.
type location struct {
	typ types.Type
	// Scalars.
	vars []*logic.Var
	// Part of an object; class overrides the memory class of a leaf type.
	obj, slot *logic.Term
	class     string
	// Entry of a map.
	m      *types.Map
	mapObj *logic.Term
	mapKey Value
	pos    token.Pos
	blank  bool
}

func memory(obj, slot *logic.Term, t types.Type) location {
	return location{typ: t, obj: obj, slot: slot}
}

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

func (em *emitter) loadVar(v *variable) Value {
	if v.boxed {
		return em.loadMem(v.obj, em.b.Const(logic.Slot, 0), v.typ, "")
	}
	return em.valueOf(v.typ, v.vars)
}

func (em *emitter) storeVar(v *variable, val Value) {
	if v.boxed {
		em.storeMem(v.obj, em.b.Const(logic.Slot, 0), v.typ, "", val)
		return
	}
	for i, x := range v.vars {
		em.assign(x, val.Leaves[i])
	}
}

// loadMem reads a value of type t at a place; class overrides the class of a leaf type.
func (em *emitter) loadMem(obj, slot *logic.Term, t types.Type, class string) Value {
	v := Value{Type: t}
	for _, leaf := range em.w.Layout(t) {
		if class != "" && isLeaf(t) {
			leaf.Class = class
		}
		m := em.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		v.Leaves = append(v.Leaves, em.b.Select(em.b.Var(m), obj, em.offset(slot, leaf.Slot)))
	}
	return v
}

// storeMem writes a value of type t at a place.
func (em *emitter) storeMem(obj, slot *logic.Term, t types.Type, class string, v Value) {
	for i, leaf := range em.w.Layout(t) {
		if class != "" && isLeaf(t) {
			leaf.Class = class
		}
		m := em.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		em.assign(m, em.b.Store(em.b.Var(m), obj, em.offset(slot, leaf.Slot), v.Leaves[i]))
	}
}

func (em *emitter) offset(slot *logic.Term, n int) *logic.Term {
	return em.b.Add(slot, em.b.Const(logic.Slot, uint64(n)))
}

// elemSlot is the slot of element i.
func (em *emitter) elemSlot(slot, i *logic.Term, elem types.Type) *logic.Term {
	return em.b.Add(slot, em.b.Mul(i, em.int(int64(em.w.Slots(elem)))))
}

func (em *emitter) newObject() *logic.Term {
	em.temps++
	v := em.newVar(fmt.Sprintf("new%d", em.temps), logic.Obj)
	em.emit(&ir.Alloc{Var: v})
	return em.b.Var(v)
}

// alloc makes a zeroed object for a value of type t.
func (em *emitter) alloc(t types.Type) *logic.Term {
	obj := em.newObject()
	em.clear(obj, t)
	return obj
}

// clear zeroes all slots of an object that holds values of type t.
func (em *emitter) clear(obj *logic.Term, t types.Type) {
	for _, m := range em.w.Contents(t) {
		em.assign(m, em.b.Fill(em.b.Var(m), obj, em.zeroLeaf(m.Sort.Value())))
	}
}

// copyElems copies n elements between slices, as if through a buffer.
func (em *emitter) copyElems(elem types.Type, toObj, toSlot, n, obj, slot *logic.Term) {
	size := em.int(int64(em.w.Slots(elem)))
	count := em.temp(em.b.Mul(n, size))
	for _, m := range em.w.Contents(elem) {
		em.assign(m, em.b.Copy(em.b.Var(m), toObj, toSlot, count, em.b.Var(m), obj, slot))
	}
}

// sliceOf is a slice with these elements; nil if there are none.
func (em *emitter) sliceOf(vals []Value, t, elem types.Type) Value {
	if len(vals) == 0 {
		return em.zero(t)
	}
	obj := em.newObject()
	em.clear(obj, elem)
	for i, v := range vals {
		em.storeMem(obj, em.elemSlot(em.b.Const(logic.Slot, 0), em.int(int64(i)), elem), elem, "", v)
	}
	n := em.int(int64(len(vals)))
	return Value{t, []*logic.Term{obj, em.b.Const(logic.Slot, 0), n, n}}
}

// deref is where a pointer points to; nil panics.
func (em *emitter) deref(p Value, pos token.Pos) location {
	obj := p.Leaves[0]
	em.assertNotNil(obj, pos, "nil pointer dereference")
	return memory(obj, p.Leaves[1], pointee(p.Type))
}

// fields follows a path of fields, through embedded pointers where there are any.
func (em *emitter) fields(at location, index []int, pos token.Pos) location {
	for _, i := range index {
		if pointee(at.typ) != nil {
			at = em.deref(em.load(at), pos)
		}
		at = em.field(at, i)
	}
	return at
}

// field is the i-th field of a struct.
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
	from := 0
	for j := range i {
		from += len(em.w.Layout(s.Field(j).Type()))
	}
	out.vars = at.vars[from : from+len(em.w.Layout(f.Type()))]
	return out
}

// fieldOfValue picks a field out of a struct value.
func (em *emitter) fieldOfValue(v Value, index []int, pos token.Pos) Value {
	for n, i := range index {
		if pointee(v.Type) != nil {
			return em.load(em.fields(em.deref(v, pos), index[n:], pos))
		}
		s := v.Type.Underlying().(*types.Struct)
		from := 0
		for j := range i {
			from += len(em.w.Layout(s.Field(j).Type()))
		}
		t := s.Field(i).Type()
		v = Value{t, v.Leaves[from : from+len(em.w.Layout(t))]}
	}
	return v
}

func (em *emitter) arrayElem(at location, i *logic.Term, a *types.Array) location {
	if at.obj == nil {
		panic(unsupportedf("an element of an array in registers"))
	}
	return memory(at.obj, em.elemSlot(at.slot, i, a.Elem()), a.Elem())
}

// addressOf is the pointer to a place.
func (em *emitter) addressOf(at location, t types.Type) Value {
	if at.obj == nil {
		panic(unsupportedf("the address of a variable that has none"))
	}
	return Value{t, []*logic.Term{at.obj, at.slot}}
}
