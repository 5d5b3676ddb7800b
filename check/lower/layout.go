package lower

import (
	"go/types"

	"dsd/check/logic"
)

// A layoutTable computes the layout of values: their scalars, and their slots in an object.
type layoutTable struct {
	*typeTable

	// layouts memoizes Layout by the key of the type.
	layouts map[string][]Leaf
	// merged holds the fields whose address is taken. They have the memory class of their type,
	// because a pointer does not say which field it points to.
	merged map[*types.Var]bool
	// shared maps a memory class to another one that the same memory belongs to, because a pointer
	// is converted from one type to the other.
	shared map[string]string
	// isShared has the classes of values of several types.
	isShared map[string]bool
	// wordBits is the size in bits of int, uint and uintptr on the platform.
	wordBits int
}

// newLayoutTable returns a table without layouts for a platform with words of a size in bits; New
// fills merged.
func newLayoutTable(tt *typeTable, wordBits int) *layoutTable {
	return &layoutTable{
		typeTable: tt,
		layouts:   map[string][]Leaf{},
		merged:    map[*types.Var]bool{},
		shared:    map[string]string{},
		isShared:  map[string]bool{},
		wordBits:  wordBits,
	}
}

// class returns the class that stands for all that share memory with a class.
func (lt *layoutTable) class(name string) string {
	for lt.shared[name] != "" {
		name = lt.shared[name]
	}
	return name
}

// share notes that pointers to one of two types, whose underlying types are identical, may point to
// values of the other.
func (lt *layoutTable) share(t, u types.Type) {
	join := func(a, b string) {
		if a, b = lt.class(a), lt.class(b); a != b {
			lt.shared[a] = b
			lt.isShared[b] = true
		}
	}
	ts, ok := t.Underlying().(*types.Struct)
	us, same := u.Underlying().(*types.Struct)
	switch {
	case hasTypeParam(t) || hasTypeParam(u) || lt.typeKey(t) == lt.typeKey(u):
	case ok && same && ts.NumFields() == us.NumFields():
		for i := range ts.NumFields() {
			if isLeaf(ts.Field(i).Type()) {
				join(lt.fieldClass(t, ts.Field(i)), lt.fieldClass(u, us.Field(i)))
			}
		}
	case isLeaf(t) && isLeaf(u):
		join(lt.typeKey(t), lt.typeKey(u))
	}
}

// A Leaf is one scalar in the layout of a value.
type Leaf struct {
	Sort logic.Sort
	// The scalar is component Comp of an indivisible part of the value. Type is the type of
	// that part: a basic type, a pointer, a slice and so on.
	Type types.Type
	Comp int
	// Slot is the part's slot in an object that begins with the value.
	Slot int
	// Class is the memory class of the part in an object.
	Class string
}

// maxLeaves is the largest number of scalars of a value that is not large.
const maxLeaves = 1200

// IsLarge reports whether values of type t have so many scalars that a value is an object instead,
// which holds a copy and is never written again.
func (lt *layoutTable) IsLarge(t types.Type) bool { return !isLeaf(t) && lt.scalars(t) > maxLeaves }

// scalars returns the number of scalars of a value of type t, or more than maxLeaves.
func (lt *layoutTable) scalars(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := 0
		for f := range u.Fields() {
			n = min(n+lt.scalars(f.Type()), maxLeaves+1)
		}
		return n
	case *types.Array:
		if u.Len() == 0 {
			return 0
		}
		return lt.scalars(u.Elem()) * int(min(u.Len(), maxLeaves+1))
	case *types.TypeParam:
		panic(unsupportedf("a type parameter without an argument"))
	}
	return len(lt.components(t))
}

// Layout returns the scalars of a value of type t in order. It panics with unsupported for a type
// that has none.
func (lt *layoutTable) Layout(t types.Type) []Leaf {
	k := lt.typeKey(t)
	if l, ok := lt.layouts[k]; ok {
		return l
	}
	var out []Leaf
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if lt.IsLarge(t) {
			return lt.largeLayout(t)
		}
		slot := 0
		for i := range u.NumFields() {
			f := u.Field(i)
			for _, l := range lt.Layout(f.Type()) {
				if isLeaf(f.Type()) {
					l.Class = lt.fieldClass(t, f)
				}
				l.Slot += slot
				out = append(out, l)
			}
			slot += lt.Slots(f.Type())
		}
	case *types.Array:
		if lt.IsLarge(t) {
			return lt.largeLayout(t)
		}
		elem := lt.Layout(u.Elem())
		for i := range int(u.Len()) {
			for _, l := range elem {
				l.Slot += i * lt.Slots(u.Elem())
				out = append(out, l)
			}
		}
	case *types.TypeParam:
		panic(unsupportedf("a type parameter without an argument"))
	default:
		for i, c := range lt.components(t) {
			out = append(out, Leaf{Sort: c.sort, Type: t, Comp: i, Class: lt.class(k)})
		}
	}
	lt.layouts[k] = out
	return out
}

// largeLayout returns the layout of a large value.
func (lt *layoutTable) largeLayout(t types.Type) []Leaf {
	return []Leaf{{Sort: logic.Obj, Type: t, Class: lt.class("large " + lt.typeKey(t))}}
}

// isLeaf reports whether t is indivisible: neither a struct nor an array.
func isLeaf(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// fieldLeaves returns which scalars of a struct belong to its i-th field: those from from to to, to
// excluded.
func (lt *layoutTable) fieldLeaves(s *types.Struct, i int) (from, to int) {
	for j := range i {
		from += len(lt.Layout(s.Field(j).Type()))
	}
	return from, from + len(lt.Layout(s.Field(i).Type()))
}

// Slots returns the number of slots that a value of type t takes in an object.
func (lt *layoutTable) Slots(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := 0
		for i := range u.NumFields() {
			n += lt.Slots(u.Field(i).Type())
		}
		return n
	case *types.Array:
		if u.Len() > 1<<40 {
			panic(unsupportedf("arrays of %d elements", u.Len()))
		}
		return int(u.Len()) * lt.Slots(u.Elem())
	}
	return 1
}

// fieldClass returns the memory class of the indivisible field f of struct type t.
func (lt *layoutTable) fieldClass(t types.Type, f *types.Var) string {
	if lt.merged[f.Origin()] {
		return lt.class(lt.typeKey(f.Type()))
	}
	return lt.class(lt.typeKey(t) + "." + f.Name())
}

// FieldClass returns the memory class of field f of struct type t, or "" if the field is a struct
// or an array: its parts have classes of their own.
func (lt *layoutTable) FieldClass(t types.Type, f *types.Var) string {
	if isLeaf(f.Type()) {
		return lt.fieldClass(t, f)
	}
	return ""
}

// boxClass returns the memory class of indivisible values of type t inside interfaces.
func (lt *layoutTable) boxClass(t types.Type) string { return "box " + lt.typeKey(t) }

// BoxClass returns the memory class of values of type t inside interfaces, or "" if t is a struct
// or an array: its parts have classes of their own.
func (lt *layoutTable) BoxClass(t types.Type) string {
	if isLeaf(t) {
		return lt.boxClass(t)
	}
	return ""
}

// elemLayout returns the layout of t with each array replaced by one element. That suffices to find
// the memories of t, however long its arrays are.
func (lt *layoutTable) elemLayout(t types.Type) []Leaf {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return lt.elemLayout(u.Elem())
	case *types.Struct:
		var out []Leaf
		for i := range u.NumFields() {
			f := u.Field(i)
			if !isLeaf(f.Type()) {
				out = append(out, lt.elemLayout(f.Type())...)
				continue
			}
			for _, leaf := range lt.Layout(f.Type()) {
				leaf.Class = lt.fieldClass(t, f)
				out = append(out, leaf)
			}
		}
		return out
	}
	return lt.Layout(t)
}

// A component is a scalar of an indivisible type.
type component struct {
	name string
	sort logic.Sort
	role logic.Role
}

var (
	objComponent  = component{"obj", logic.Obj, logic.RoleObj}
	slotComponent = component{"slot", logic.Slot, logic.RoleSlot}
)

// components returns the scalars of an indivisible type.
func (lt *layoutTable) components(t types.Type) []component {
	if lt.IsLarge(t) {
		return []component{{"large", logic.Obj, logic.RoleStrObj}}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.Invalid {
			panic(unsupportedf("values of a type of C, which cgo could not process"))
		}
		return lt.basicComponents(u, t)

	case *types.Pointer:
		return []component{objComponent, slotComponent}

	case *types.Slice:
		return []component{
			objComponent, slotComponent,
			{"len", logic.Int, logic.RoleLen},
			{"cap", logic.Int, logic.RoleCap},
		}

	case *types.Map, *types.Chan:
		return []component{objComponent}

	case *types.Signature:
		return []component{
			{"fn", logic.BV(32), logic.RoleFn},
			{"env", logic.Obj, logic.RoleNone},
		}

	case *types.Interface:
		return []component{
			{"tag", logic.BV(32), logic.RoleTag},
			{"obj", logic.Obj, logic.RoleIfaceObj},
			slotComponent,
		}
	}
	panic(unsupportedf("values of type %s", t))
}

// basicComponents returns the scalars of type t, whose underlying type is u.
func (lt *layoutTable) basicComponents(u *types.Basic, t types.Type) []component {
	switch info := u.Info(); {
	case u.Kind() == types.UnsafePointer:
		return []component{objComponent, slotComponent}

	case info&types.IsBoolean != 0:
		return []component{{"", logic.Bool, logic.RoleNone}}

	case info&types.IsInteger != 0:
		return []component{{"", logic.BV(lt.intBits(u)), logic.RoleNone}}

	case info&types.IsFloat != 0:
		return []component{{"", logic.Float(floatBits(u)), logic.RoleNone}}

	case info&types.IsComplex != 0:
		part := logic.Float(complexPartBits(u))
		return []component{{"re", part, logic.RoleNone}, {"im", part, logic.RoleNone}}

	case info&types.IsString != 0:
		return []component{
			{"obj", logic.Obj, logic.RoleStrObj},
			{"off", logic.Slot, logic.RoleSlot},
			{"len", logic.Int, logic.RoleStrLen},
		}
	}
	panic(unsupportedf("values of type %s", t))
}

// intBits returns the size in bits of an integer type.
func (lt *layoutTable) intBits(u *types.Basic) int {
	switch u.Kind() {
	case types.Int, types.Uint, types.Uintptr:
		return lt.wordBits
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32, types.UntypedRune:
		return 32
	}
	return 64
}

// floatBits returns the size in bits of a floating-point type.
func floatBits(u *types.Basic) int {
	if u.Kind() == types.Float32 {
		return 32
	}
	return 64
}

// complexPartBits returns the size in bits of the real part of a complex type.
func complexPartBits(u *types.Basic) int {
	if u.Kind() == types.Complex64 {
		return 32
	}
	return 64
}

// isSigned reports whether t is a signed integer type.
func isSigned(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsInteger != 0 && u.Info()&types.IsUnsigned == 0
}

// pointee returns the element type of a pointer type, or nil for other types.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}
