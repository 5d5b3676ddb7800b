package lower

import (
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// A map is an object. Its contents are memories of the map's type: whether a key is present, and the parts of its
// value, by object and a number that stands for the key; the number of entries is in a memory of its own.

// has is the memory that says which keys are present.
func (em *emitter) has(m *types.Map) *logic.Var { return em.w.MapHas(m) }

func (em *emitter) mapLenMem() *logic.Var { return em.w.MapLen() }

// mapLen is len(m); of nil, 0.
func (em *emitter) mapLen(obj *logic.Term, m *types.Map) *logic.Term {
	n := em.b.Select(em.b.Var(em.mapLenMem()), obj, em.b.Const(logic.Slot, 0))
	return em.b.Ite(em.b.Eq(obj, em.zeroLeaf(logic.Obj)), em.int(0), n)
}

// mapLoad reads an mapObj: its value, zero if it is absent, and whether it is present.
func (em *emitter) mapLoad(at location) (Value, *logic.Term) {
	key := em.temp(em.mapKey(at.mapKey, at.pos))
	has := em.b.Select(em.b.Var(em.has(at.m)), at.mapObj, key)
	has = em.temp(em.b.And(em.b.Not(em.b.Eq(at.mapObj, em.zeroLeaf(logic.Obj))), has))
	v := Value{Type: at.typ}
	for i, m := range em.w.EntryMemories(at.m) {
		leaf := em.w.Layout(at.typ)[i]
		v.Leaves = append(v.Leaves, em.b.Ite(has, em.b.Select(em.b.Var(m), at.mapObj, key), em.zeroLeaf(leaf.Sort)))
	}
	return v, has
}

// mapStore is m[k] = v; of a nil map it panics.
func (em *emitter) mapStore(at location, v Value) {
	em.assert(em.b.Not(em.b.Eq(at.mapObj, em.zeroLeaf(logic.Obj))), schemas.NilMap, at.pos, "assignment to an entry of a nil map")
	key := em.temp(em.mapKey(at.mapKey, at.pos))
	has := em.has(at.m)
	present := em.temp(em.b.Select(em.b.Var(has), at.mapObj, key))
	for i, m := range em.w.EntryMemories(at.m) {
		em.assign(m, em.b.Store(em.b.Var(m), at.mapObj, key, v.Leaves[i]))
	}
	em.assign(has, em.b.Store(em.b.Var(has), at.mapObj, key, em.b.True()))
	em.addLen(at.mapObj, em.b.Ite(present, em.int(0), em.int(1)))
}

func (em *emitter) addLen(obj, n *logic.Term) {
	m := em.mapLenMem()
	zero := em.b.Const(logic.Slot, 0)
	em.assign(m, em.b.Store(em.b.Var(m), obj, zero, em.b.Add(em.b.Select(em.b.Var(m), obj, zero), n)))
}

// mapDelete is delete(m, k), which does nothing to a nil map.
func (em *emitter) mapDelete(obj *logic.Term, m *types.Map, k Value, pos token.Pos) {
	key := em.temp(em.mapKey(k, pos))
	has := em.has(m)
	present := em.temp(em.b.And(em.b.Not(em.b.Eq(obj, em.zeroLeaf(logic.Obj))), em.b.Select(em.b.Var(has), obj, key)))
	em.assign(has, em.b.Store(em.b.Var(has), obj, key, em.b.False()))
	em.addLen(obj, em.b.Ite(present, em.int(-1), em.int(0)))
}

// mapMake is an empty map.
func (em *emitter) mapMake(m *types.Map) *logic.Term {
	obj := em.newObject()
	em.mapClear(obj, m)
	return obj
}

func (em *emitter) mapClear(obj *logic.Term, m *types.Map) {
	has := em.has(m)
	em.assign(has, em.b.Fill(em.b.Var(has), obj, em.b.False()))
	n := em.mapLenMem()
	em.assign(n, em.b.Store(em.b.Var(n), obj, em.b.Const(logic.Slot, 0), em.int(0)))
}
