package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// A map is an object. Its contents are memories of the map's type: whether a key is present, and the parts of its
// value, by object and a number that stands for the key; the number of entries is in a memory of its own.

// has is the memory that says which keys are present.
func (l *lowerer) has(m *types.Map) *logic.Var { return l.w.MapHas(m) }

func (l *lowerer) mapLenMem() *logic.Var { return l.w.MapLen() }

// mapLen is len(m); of nil, 0.
func (l *lowerer) mapLen(obj *logic.Term, m *types.Map) *logic.Term {
	n := l.b.Select(l.b.Var(l.mapLenMem()), obj, l.b.Const(logic.Slot, 0))
	return l.b.Ite(l.b.Eq(obj, l.zeroLeaf(logic.Obj)), l.int(0), n)
}

// mapLoad reads an entry: its value, zero if it is absent, and whether it is present.
func (l *lowerer) mapLoad(at location) (Value, *logic.Term) {
	key := l.temp(l.key(at.keyVal, at.pos))
	has := l.b.Select(l.b.Var(l.has(at.m)), at.entry, key)
	has = l.temp(l.b.And(l.b.Not(l.b.Eq(at.entry, l.zeroLeaf(logic.Obj))), has))
	v := Value{Type: at.typ}
	for i, m := range l.w.EntryMemories(at.m) {
		leaf := l.w.Layout(at.typ)[i]
		v.Leaves = append(v.Leaves, l.b.Ite(has, l.b.Select(l.b.Var(m), at.entry, key), l.zeroLeaf(leaf.Sort)))
	}
	return v, has
}

// EntryMemories are the memories of the parts of a map's values, in the order of their layout.
func (w *World) EntryMemories(m *types.Map) []*logic.Var {
	var out []*logic.Var
	n := 0
	for _, leaf := range w.Layout(m.Elem()) {
		if leaf.Comp == 0 {
			n++
		}
		out = append(out, w.Memories(fmt.Sprintf("%s value.%d", w.typeKey(m), n), leaf.Type)[leaf.Comp])
	}
	return out
}

// MapHas and MapLen are the memories of a map's keys and of the lengths of maps.
func (w *World) MapHas(m *types.Map) *logic.Var {
	g := &logic.Group{Vars: []*logic.Var{w.MapLen()}}
	return w.special(w.typeKey(m)+" has", logic.Bool, logic.Domain{Role: logic.RoleMapHas, Group: g})
}
func (w *World) MapLen() *logic.Var {
	return w.special(mapLenClass, logic.Int, logic.Domain{Role: logic.RoleMapLen})
}

// mapStore is m[k] = v; of a nil map it panics.
func (l *lowerer) mapStore(at location, v Value) {
	l.assert(l.b.Not(l.b.Eq(at.entry, l.zeroLeaf(logic.Obj))), schemas.NilMap, at.pos, "assignment to an entry of a nil map")
	key := l.temp(l.key(at.keyVal, at.pos))
	has := l.has(at.m)
	present := l.temp(l.b.Select(l.b.Var(has), at.entry, key))
	for i, m := range l.w.EntryMemories(at.m) {
		l.assign(m, l.b.Store(l.b.Var(m), at.entry, key, v.Leaves[i]))
	}
	l.assign(has, l.b.Store(l.b.Var(has), at.entry, key, l.b.True()))
	l.addLen(at.entry, l.b.Ite(present, l.int(0), l.int(1)))
}

func (l *lowerer) addLen(obj, n *logic.Term) {
	m := l.mapLenMem()
	zero := l.b.Const(logic.Slot, 0)
	l.assign(m, l.b.Store(l.b.Var(m), obj, zero, l.b.Add(l.b.Select(l.b.Var(m), obj, zero), n)))
}

// mapDelete is delete(m, k), which does nothing to a nil map.
func (l *lowerer) mapDelete(obj *logic.Term, m *types.Map, k Value, pos token.Pos) {
	key := l.temp(l.key(k, pos))
	has := l.has(m)
	present := l.temp(l.b.And(l.b.Not(l.b.Eq(obj, l.zeroLeaf(logic.Obj))), l.b.Select(l.b.Var(has), obj, key)))
	l.assign(has, l.b.Store(l.b.Var(has), obj, key, l.b.False()))
	l.addLen(obj, l.b.Ite(present, l.int(-1), l.int(0)))
}

// mapMake is an empty map.
func (l *lowerer) mapMake(m *types.Map) *logic.Term {
	obj := l.newObject()
	l.mapClear(obj, m)
	return obj
}

func (l *lowerer) mapClear(obj *logic.Term, m *types.Map) {
	has := l.has(m)
	l.assign(has, l.b.Fill(l.b.Var(has), obj, l.b.False()))
	n := l.mapLenMem()
	l.assign(n, l.b.Store(l.b.Var(n), obj, l.b.Const(logic.Slot, 0), l.int(0)))
}
