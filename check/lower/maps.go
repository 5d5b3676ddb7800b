package lower

import (
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// A map is an object. Three memories hold its contents:
//
//	MapHas[obj, key]          whether the key is present
//	EntryMemories[obj, key]   the scalars of its value
//	MapLen[obj, 0]            the number of entries
//
// key is the packed key, see keys.go.

// mapLen returns len(m), which is 0 for a nil map.
func (em *emitter) mapLen(obj *logic.Term) *logic.Term {
	n := em.b.Select(em.b.Var(em.w.MapLen()), obj, em.slot0())
	return em.b.Ite(em.b.Eq(obj, em.nilObj()), em.int(0), n)
}

// setMapLen stores the number of entries of a map.
func (em *emitter) setMapLen(obj, n *logic.Term) {
	m := em.w.MapLen()
	em.assign(m, em.b.Store(em.b.Var(m), obj, em.slot0(), n))
}

// addMapLen adds n to the number of entries of a map.
func (em *emitter) addMapLen(obj, n *logic.Term) {
	old := em.b.Select(em.b.Var(em.w.MapLen()), obj, em.slot0())
	em.setMapLen(obj, em.b.Add(old, n))
}

// mapLoad reads m[k] and returns the value, which is zero if the key is absent, and whether it is
// present. It cannot panic for a nil map.
func (em *emitter) mapLoad(at location) (Value, *logic.Term) {
	return em.mapEntry(at, em.keyIn(at.m, at.mapObj, at.mapKey, at.pos))
}

// mapEntry is mapLoad for a packed key.
func (em *emitter) mapEntry(at location, key *logic.Term) (Value, *logic.Term) {
	has := em.b.Select(em.b.Var(em.w.MapHas(at.m)), at.mapObj, key)
	has = em.temp(em.b.And(em.b.Not(em.b.Eq(at.mapObj, em.nilObj())), has))
	v, zero := Value{Type: at.typ}, em.zero(at.typ)
	for i, m := range em.w.EntryMemories(at.m) {
		x := em.b.Select(em.b.Var(m), at.mapObj, key)
		v.Leaves = append(v.Leaves, em.b.Ite(has, x, zero.Leaves[i]))
	}
	return v, has
}

// mapStore lowers m[k] = v:
//
//	assert m != nil
//	present := has[m, k]
//	values[m, k] := v; has[m, k] := true; len[m] += present ? 0 : 1
func (em *emitter) mapStore(at location, v Value) {
	em.assert(em.b.Not(em.b.Eq(at.mapObj, em.nilObj())), schemas.NilMap, at.pos,
		"assignment to an entry of a nil map")
	key := em.keyIn(at.m, at.mapObj, at.mapKey, at.pos)
	has := em.w.MapHas(at.m)
	present := em.temp(em.b.Select(em.b.Var(has), at.mapObj, key))
	for i, m := range em.w.EntryMemories(at.m) {
		em.assign(m, em.b.Store(em.b.Var(m), at.mapObj, key, v.Leaves[i]))
	}
	em.assign(has, em.b.Store(em.b.Var(has), at.mapObj, key, em.b.True()))
	em.addMapLen(at.mapObj, em.b.Ite(present, em.int(0), em.int(1)))
}

// mapDelete lowers delete(m, k), which does nothing to a nil map:
//
//	present := m != nil && has[m, k]
//	has[m, k] := false; len[m] -= present ? 1 : 0
func (em *emitter) mapDelete(obj *logic.Term, m *types.Map, k Value, pos token.Pos) {
	key := em.keyIn(m, obj, k, pos)
	has := em.w.MapHas(m)
	notNil := em.b.Not(em.b.Eq(obj, em.nilObj()))
	present := em.temp(em.b.And(notNil, em.b.Select(em.b.Var(has), obj, key)))
	em.assign(has, em.b.Store(em.b.Var(has), obj, key, em.b.False()))
	em.addMapLen(obj, em.b.Ite(present, em.int(-1), em.int(0)))
}

// mapMake returns a new, empty map.
func (em *emitter) mapMake(m *types.Map) *logic.Term {
	obj := em.newObjectOf(m)
	em.mapClear(obj, m)
	return obj
}

// mapClear removes all entries of a map.
func (em *emitter) mapClear(obj *logic.Term, m *types.Map) {
	has := em.w.MapHas(m)
	em.assign(has, em.b.Fill(em.b.Var(has), obj, em.b.False()))
	em.setMapLen(obj, em.int(0))
}
