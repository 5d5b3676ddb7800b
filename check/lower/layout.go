package lower

import (
	"fmt"
	"go/types"

	"dsd/check/logic"
)

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

// Layout returns the scalars of a value of type t, in order.
func (w *World) Layout(t types.Type) []Leaf {
	k := w.typeKey(t)
	if l, ok := w.layouts[k]; ok {
		return l
	}
	var out []Leaf
	switch u := t.Underlying().(type) {
	case *types.Struct:
		slot := 0
		for i := range u.NumFields() {
			f := u.Field(i)
			for _, l := range w.Layout(f.Type()) {
				if isLeaf(f.Type()) {
					l.Class = w.fieldClass(t, f)
				}
				l.Slot += slot
				out = append(out, l)
			}
			slot += w.Slots(f.Type())
		}
	case *types.Array:
		elem := w.Layout(u.Elem())
		if u.Len()*int64(len(elem)) > maxLeaves {
			panic(unsupported{reason: fmt.Sprintf("arrays of %d elements as values", u.Len())})
		}
		for i := range int(u.Len()) {
			for _, l := range elem {
				l.Slot += i * w.Slots(u.Elem())
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
	w.layouts[k] = out
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
func (w *World) Slots(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := 0
		for i := range u.NumFields() {
			n += w.Slots(u.Field(i).Type())
		}
		return n
	case *types.Array:
		if u.Len() > 1<<24 {
			panic(unsupported{reason: fmt.Sprintf("arrays of %d elements", u.Len())})
		}
		return int(u.Len()) * w.Slots(u.Elem())
	}
	return 1
}

// fieldClass is the memory class of field f, not of struct or array type, of struct type t.
func (w *World) fieldClass(t types.Type, f *types.Var) string {
	if w.merged[f.Origin()] {
		return w.typeKey(f.Type())
	}
	return w.typeKey(t) + "." + f.Name()
}

// Memories returns the memories of a class of values of type t (a leaf type), one a component.
func (w *World) Memories(class string, t types.Type) []*logic.Var {
	k := class + "\x00" + w.typeKey(t)
	if m, ok := w.memories[k]; ok {
		return m
	}
	vars := w.Vars(class, t, true)
	w.memories[k] = vars
	for _, v := range vars {
		w.number(v)
	}
	return vars
}

// Vars makes variables (or memories) for the scalars of a leaf type, with their domains.
func (w *World) Vars(name string, t types.Type, memory bool) []*logic.Var {
	comps := components(t)
	g := &logic.Group{}
	for _, c := range comps {
		n := name
		if c.name != "" {
			n += "#" + c.name
		}
		s := c.sort
		if memory {
			s = logic.Memory(s)
		}
		v := &logic.Var{Name: n, Sort: s, Domain: logic.Domain{Role: c.role, Group: g}}
		switch c.role {
		case logic.RoleObj:
			v.Domain.Region = w.region(pointee(t), w.typeKey(t))
		case logic.RoleStrObj:
			v.Domain.Region = w.region(nil, "string")
		case logic.RoleTag:
			v.Domain.Tags, v.Domain.Regions, v.Domain.Boxes = w.dynamicTypes(t)
		case logic.RoleIfaceObj:
			v.Domain.Tags, v.Domain.Regions, v.Domain.Boxes = w.dynamicTypes(t)
		}
		g.Vars = append(g.Vars, v)
	}
	return g.Vars
}

// pointee is what a pointer points to, nil for other types.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// region numbers the objects that pointers to elem (or, if nil, values of the type named key) refer to.
func (w *World) region(elem types.Type, key string) uint32 {
	if elem != nil {
		key = "*" + w.typeKey(elem)
	}
	if r, ok := w.regions[key]; ok {
		return r
	}
	r := uint32(len(w.regions) + 1)
	if r >= logic.RegionStatic {
		panic(unsupported{reason: "more than 16383 types"})
	}
	w.regions[key] = r
	return r
}

// The memories that do not belong to a Go type.
const (
	stringClass = "string bytes"
	mapLenClass = "map length"
)

// StringBytes is the memory that holds the bytes of strings.
func (w *World) StringBytes() *logic.Var { return w.special(stringClass, logic.BV(8), logic.Domain{}) }

func (w *World) special(name string, s logic.Sort, d logic.Domain) *logic.Var {
	if m, ok := w.memories[name]; ok {
		return m[0]
	}
	v := &logic.Var{Name: name, Sort: logic.Memory(s), Domain: d}
	w.memories[name] = []*logic.Var{v}
	w.number(v)
	return v
}

func (w *World) number(v *logic.Var) {
	v.Index = len(w.MemoryOrder)
	w.MemoryOrder = append(w.MemoryOrder, v)
}
