package lower

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"dsd/check/logic"
)

// The classes of memories that do not belong to a Go type.
const (
	stringClass = "string bytes"
	mapLenClass = "map length"
	closedClass = "channel closed"
)

// A memoryTable holds the memories of the testee. It also makes variables for scalars: their types
// decide which values they may have, their domains.
type memoryTable struct {
	*typeTable
	*interfaceTypes
	*layoutTable

	// memories maps a class and the key of its type to one memory per component.
	memories map[string][]*logic.Var
	// MemoryOrder holds all memories, after Close in an order that depends on their names alone.
	// Var.Index is the position.
	MemoryOrder []*logic.Var
	// olds maps a memory to the variable for its contents at the entry of a call.
	olds map[*logic.Var]*logic.Var
}

// newMemoryTable returns a table without memories.
func newMemoryTable(it *interfaceTypes, lt *layoutTable) *memoryTable {
	return &memoryTable{
		typeTable:      it.typeTable,
		interfaceTypes: it,
		layoutTable:    lt,
		memories:       map[string][]*logic.Var{},
		olds:           map[*logic.Var]*logic.Var{},
	}
}

// Memories returns the memories of a class of values of type t, one per component. t is
// indivisible.
func (mt *memoryTable) Memories(class string, t types.Type) []*logic.Var {
	k := mt.memoryKey(class, t)
	if m, ok := mt.memories[k]; ok {
		return m
	}
	vars := mt.Vars(class, t, true)
	mt.memories[k] = vars
	for _, v := range vars {
		mt.addMemory(v)
	}
	return vars
}

// memoryKey returns the key of the memories of a class of values of type t. Several types whose
// values share memory have one underlying type.
func (mt *memoryTable) memoryKey(class string, t types.Type) string {
	if mt.isShared[class] {
		t = t.Underlying()
	}
	return class + "\x00" + mt.typeKey(t)
}

// namedMemory returns the only memory of a class that does not belong to a Go type.
func (mt *memoryTable) namedMemory(name string, s logic.Sort, d logic.Domain) *logic.Var {
	if m, ok := mt.memories[name]; ok {
		return m[0]
	}
	v := &logic.Var{Name: name, Sort: logic.Memory(s), Domain: d}
	mt.memories[name] = []*logic.Var{v}
	mt.addMemory(v)
	return v
}

// addMemory gives a new memory its index.
func (mt *memoryTable) addMemory(v *logic.Var) {
	v.Index = len(mt.MemoryOrder)
	mt.MemoryOrder = append(mt.MemoryOrder, v)
}

// sortMemories orders the memories by their keys in memories.
func (mt *memoryTable) sortMemories() {
	mt.MemoryOrder = mt.MemoryOrder[:0]
	for _, k := range slices.Sorted(maps.Keys(mt.memories)) {
		for _, v := range mt.memories[k] {
			mt.addMemory(v)
		}
	}
	for v, old := range mt.olds {
		old.Index = v.Index
	}
}

// Vars returns new variables, or memories, with domains for the scalars of a value of type t. t is
// indivisible.
func (mt *memoryTable) Vars(name string, t types.Type, memory bool) []*logic.Var {
	comps := mt.components(t)
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
			v.Domain.Region = mt.region(pointee(t), mt.typeKey(t))
		case logic.RoleStrObj:
			v.Domain.Region = mt.region(nil, "string")
			if mt.IsLarge(t) {
				v.Domain.Region = mt.region(nil, "large "+mt.typeKey(t))
			}
		case logic.RoleTag:
			v.Domain.Tags, v.Domain.Regions, v.Domain.NotNil = mt.dynamicTypes(t)
		case logic.RoleIfaceObj:
			v.Domain.Tags, v.Domain.Regions, v.Domain.NotNil = mt.dynamicTypes(t)
		}
		g.Vars = append(g.Vars, v)
	}
	return g.Vars
}

// InputVars returns new variables with domains for the scalars of a value of any type t.
func (mt *memoryTable) InputVars(name string, t types.Type) []*logic.Var {
	if mt.IsLarge(t) {
		return mt.Vars(name, t, false)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var out []*logic.Var
		for i := range u.NumFields() {
			out = append(out,
				mt.InputVars(name+"."+u.Field(i).Name(), u.Field(i).Type())...)
		}
		return out
	case *types.Array:
		var out []*logic.Var
		for i := range int(u.Len()) {
			out = append(out, mt.InputVars(fmt.Sprintf("%s[%d]", name, i), u.Elem())...)
		}
		return out
	}
	return mt.Vars(name, t, false)
}

// Contents returns the memories that hold the parts of values of type t, without repetition.
func (mt *memoryTable) Contents(t types.Type) []*logic.Var {
	seen := map[*logic.Var]bool{}
	var out []*logic.Var
	for _, leaf := range mt.elemLayout(t) {
		m := mt.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		if !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
	}
	return out
}

// StringBytes returns the memory of the bytes of strings.
func (mt *memoryTable) StringBytes() *logic.Var {
	return mt.namedMemory(stringClass, logic.BV(8), logic.Domain{})
}

// MapHas returns the memory that says which keys maps of type m hold.
func (mt *memoryTable) MapHas(m *types.Map) *logic.Var {
	g := &logic.Group{Vars: []*logic.Var{mt.MapLen()}}
	d := logic.Domain{Role: logic.RoleMapHas, Group: g}
	return mt.namedMemory(mt.typeKey(m)+" has", logic.Bool, d)
}

// mapSeen returns the memory that says which keys the loops over maps of type m have visited.
func (mt *memoryTable) mapSeen(m *types.Map) *logic.Var {
	return mt.namedMemory(mt.typeKey(m)+" seen", logic.Bool, logic.Domain{})
}

// MapLen returns the memory of the lengths of maps.
func (mt *memoryTable) MapLen() *logic.Var {
	return mt.namedMemory(mapLenClass, logic.Int, logic.Domain{Role: logic.RoleMapLen})
}

// EntryMemories returns the memories of the scalars of the values of maps of type m, in the order
// of their layout.
func (mt *memoryTable) EntryMemories(m *types.Map) []*logic.Var {
	var out []*logic.Var
	n := 0
	for _, leaf := range mt.Layout(m.Elem()) {
		if leaf.Comp == 0 {
			n++
		}
		class := fmt.Sprintf("%s value.%d", mt.typeKey(m), n)
		out = append(out, mt.Memories(class, leaf.Type)[leaf.Comp])
	}
	return out
}

// ChanCount returns the memory of a number of channels.
func (mt *memoryTable) ChanCount(c chanCount) *logic.Var {
	return mt.namedMemory(string(c), logic.Int, logic.Domain{})
}

// ChanQueue returns the memory that says of which channels everything is known. No input is such a
// channel. The entry of a hidden object records that other goroutines may use channels from now on.
func (mt *memoryTable) ChanQueue() *logic.Var {
	return mt.namedMemory("chan queue", logic.Bool, logic.Domain{Role: logic.RoleUnset})
}

// ChanClosed returns the memory that says which channels are closed.
func (mt *memoryTable) ChanClosed() *logic.Var {
	return mt.namedMemory(closedClass, logic.Bool, logic.Domain{Role: logic.RoleClosed})
}
