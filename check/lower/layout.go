package lower

import (
	"fmt"
	"go/types"

	"dsd/check/logic"
)

// A layoutTable computes the layout of values: the scalars of a value, and its slots in an object.
type layoutTable struct {
	*typeTable

	// layouts memoizes Layout by the key of the type.
	layouts map[string][]Leaf
	// merged holds the fields whose address is taken. They share the memory class of their type,
	// because a pointer does not say which field it points to.
	merged map[*types.Var]bool
}

func newLayoutTable(tt *typeTable) *layoutTable {
	return &layoutTable{typeTable: tt, layouts: map[string][]Leaf{}, merged: map[*types.Var]bool{}}
}

// Leaf is a scalar of a value's layout.
type Leaf struct {
	Sort logic.Sort
	// Type is the type of the basic value, pointer, slice ... that the scalar is component Comp of.
	Type types.Type
	Comp int
	// Slot is the place of that value in an object that begins with the laid-out value.
	Slot int
	// Class is the memory class that it lives in, when in an object.
	Class string
}

// maxLeaves bounds the scalars of a value; larger arrays are not values, only objects.
const maxLeaves = 600

// Layout returns the scalars of a value of type t, in order.
func (lt *layoutTable) Layout(t types.Type) []Leaf {
	k := lt.typeKey(t)
	if l, ok := lt.layouts[k]; ok {
		return l
	}
	var out []Leaf
	switch u := t.Underlying().(type) {
	case *types.Struct:
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
		elem := lt.Layout(u.Elem())
		if u.Len()*int64(len(elem)) > maxLeaves {
			panic(unsupported{reason: fmt.Sprintf("arrays of %d elements as values", u.Len())})
		}
		for i := range int(u.Len()) {
			for _, l := range elem {
				l.Slot += i * lt.Slots(u.Elem())
				out = append(out, l)
			}
		}
	case *types.TypeParam:
		panic(unsupported{reason: "a type parameter without an argument"})
	default:
		for i, c := range components(t) {
			out = append(out, Leaf{Sort: c.sort, Type: t, Comp: i, Class: k})
		}
	}
	lt.layouts[k] = out
	return out
}

// isLeaf says that t is neither struct nor array.
func isLeaf(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// Slots is the number of places that a value of type t takes in an object.
func (lt *layoutTable) Slots(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := 0
		for i := range u.NumFields() {
			n += lt.Slots(u.Field(i).Type())
		}
		return n
	case *types.Array:
		if u.Len() > 1<<24 {
			panic(unsupported{reason: fmt.Sprintf("arrays of %d elements", u.Len())})
		}
		return int(u.Len()) * lt.Slots(u.Elem())
	}
	return 1
}

// fieldClass is the memory class of field f, not of struct or array type, of struct type t.
func (lt *layoutTable) fieldClass(t types.Type, f *types.Var) string {
	if lt.merged[f.Origin()] {
		return lt.typeKey(f.Type())
	}
	return lt.typeKey(t) + "." + f.Name()
}

// FieldClass overrides the memory class of a field that is neither struct nor array.
func (lt *layoutTable) FieldClass(t types.Type, f *types.Var) string {
	if isLeaf(f.Type()) {
		return lt.fieldClass(t, f)
	}
	return ""
}

// BoxClass overrides, for a type that is neither struct nor array, the memory class of its values inside interfaces.
func (lt *layoutTable) BoxClass(t types.Type) string {
	if isLeaf(t) {
		return "box " + lt.typeKey(t)
	}
	return ""
}

// elemLayout is the layout of t or, for an array, of its elements: enough to know the memories.
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

// component is a scalar of an indivisible type.
type component struct {
	name string
	sort logic.Sort
	role logic.Role
}

// components returns the scalars of a type that is neither struct nor array.
func components(t types.Type) []component {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer:
			return []component{{"obj", logic.Obj, logic.RoleObj}, {"slot", logic.Slot, logic.RoleSlot}}
		case info&types.IsBoolean != 0:
			return []component{{"", logic.Bool, logic.RoleNone}}
		case info&types.IsInteger != 0:
			return []component{{"", logic.BV(intBits(u)), logic.RoleNone}}
		case info&types.IsFloat != 0:
			return []component{{"", logic.Float(floatBits(u)), logic.RoleNone}}
		case info&types.IsComplex != 0:
			n := 64
			if u.Kind() == types.Complex64 {
				n = 32
			}
			return []component{{"re", logic.Float(n), logic.RoleNone}, {"im", logic.Float(n), logic.RoleNone}}
		case info&types.IsString != 0:
			return []component{{"obj", logic.Obj, logic.RoleStrObj}, {"off", logic.Slot, logic.RoleSlot}, {"len", logic.Int, logic.RoleStrLen}}
		}
	case *types.Pointer:
		return []component{{"obj", logic.Obj, logic.RoleObj}, {"slot", logic.Slot, logic.RoleSlot}}
	case *types.Slice:
		return []component{{"obj", logic.Obj, logic.RoleObj}, {"slot", logic.Slot, logic.RoleSlot}, {"len", logic.Int, logic.RoleLen}, {"cap", logic.Int, logic.RoleCap}}
	case *types.Map, *types.Chan:
		return []component{{"obj", logic.Obj, logic.RoleObj}}
	case *types.Signature:
		return []component{{"fn", logic.BV(32), logic.RoleFn}, {"env", logic.Obj, logic.RoleNone}}
	case *types.Interface:
		return []component{{"tag", logic.BV(32), logic.RoleTag}, {"obj", logic.Obj, logic.RoleIfaceObj}, {"slot", logic.Slot, logic.RoleSlot}}
	}
	panic(unsupported{reason: fmt.Sprintf("values of type %s", t)})
}

func intBits(u *types.Basic) int {
	switch u.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32, types.UntypedRune:
		return 32
	}
	return 64
}

func floatBits(u *types.Basic) int {
	if u.Kind() == types.Float32 {
		return 32
	}
	return 64
}

func isSigned(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsInteger != 0 && u.Info()&types.IsUnsigned == 0
}

// pointee is what a pointer points to, nil for other types.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}
