package logic

// Select reads memory m at (obj, slot). Writes are resolved here: what comes back mentions initial contents only.
// Cost: linear in the writes between m and its initial contents for an address not read before, constant otherwise.
func (b *Builder) Select(m, obj, slot *Term) *Term {
	k := [3]int{m.ID, obj.ID, slot.ID}
	if t := b.selects[k]; t != nil {
		return t
	}
	t := b.read(m, obj, slot)
	b.selects[k] = t
	return t
}

func (b *Builder) read(m, obj, slot *Term) *Term {
	if obj.Op == OpIte {
		return b.Ite(obj.Args[0], b.Select(m, obj.Args[1], slot), b.Select(m, obj.Args[2], slot))
	}
	switch m.Op {
	case OpVar:
		return b.initial(m.Var, obj, slot)

	case OpIte:
		return b.Ite(m.Args[0], b.Select(m.Args[1], obj, slot), b.Select(m.Args[2], obj, slot))

	case OpStore:
		here := b.And(b.Eq(obj, m.Args[1]), b.Eq(slot, m.Args[2]))
		if here.IsTrue() {
			return m.Args[3]
		}
		if here.IsFalse() {
			return b.Select(m.Args[0], obj, slot)
		}
		return b.Ite(here, m.Args[3], b.Select(m.Args[0], obj, slot))

	case OpFill:
		here := b.Eq(obj, m.Args[1])
		if here.IsTrue() {
			return m.Args[2]
		}
		return b.Ite(here, m.Args[2], b.Select(m.Args[0], obj, slot))

	case OpReplace:
		here := b.Eq(obj, m.Args[1])
		if here.IsFalse() {
			return b.Select(m.Args[0], obj, slot)
		}
		return b.Ite(here, b.Select(m.Args[2], obj, slot), b.Select(m.Args[0], obj, slot))

	case OpCopy:
		a, to, at, n, from, obj2, slot2 := m.Args[0], m.Args[1], m.Args[2], m.Args[3], m.Args[4], m.Args[5], m.Args[6]
		i := b.Sub(slot, at)
		here := b.And(b.Eq(obj, to), b.Cmp(OpULt, i, n))
		if here.IsFalse() {
			return b.Select(a, obj, slot)
		}
		moved := b.Select(from, obj2, b.Add(slot2, i))
		if here.IsTrue() {
			return moved
		}
		return b.Ite(here, moved, b.Select(a, obj, slot))
	}
	panic("logic: " + m.Op.String() + " is not a memory")
}

// initial is the contents of a memory that was not written to.
func (b *Builder) initial(v *Var, obj, slot *Term) *Term {
	if v.Domain.Role == RoleSlot {
		return b.Const(Slot, 0)
	}
	if o, ok := obj.Const(); ok {
		if text, ok := b.Literals[uint32(o)]; ok && v.Sort.Value() == BV(8) {
			return b.literalByte(v, text, obj, slot)
		}
	}
	return b.intern(key{op: OpSelect, sort: v.Sort.Value(), v: v, a: obj, b: slot}, []*Term{obj, slot})
}

// literalByte is a byte of a string constant; out of range any value will do, as lowering checks the range.
func (b *Builder) literalByte(v *Var, text string, obj, slot *Term) *Term {
	if i, ok := slot.Const(); ok {
		if i < uint64(len(text)) {
			return b.Const(BV(8), uint64(text[i]))
		}
		return b.Const(BV(8), 0)
	}
	t := b.Const(BV(8), 0)
	for i := len(text) - 1; i >= 0; i-- {
		t = b.Ite(b.Eq(slot, b.Const(Slot, uint64(i))), b.Const(BV(8), uint64(text[i])), t)
	}
	return t
}

// Store is memory m with v at (obj, slot).
func (b *Builder) Store(m, obj, slot, v *Term) *Term {
	if m.Op == OpStore && m.Args[1] == obj && m.Args[2] == slot {
		m = m.Args[0]
	}
	return b.make(OpStore, m.Sort, m, obj, slot, v)
}

// Fill is memory m with v in every slot of obj.
func (b *Builder) Fill(m, obj, v *Term) *Term { return b.make(OpFill, m.Sort, m, obj, v) }

// Replace is memory m with object obj as it is in from.
func (b *Builder) Replace(m, obj, from *Term) *Term { return b.make(OpReplace, m.Sort, m, obj, from) }

// Copy is memory m with the n slots of object to from slot at on, as they are in memory from, in object obj from slot
// slot on. All of from is read before anything is written.
func (b *Builder) Copy(m, to, at, n, from, obj, slot *Term) *Term {
	if k, ok := n.Const(); ok && k == 0 {
		return m
	}
	return b.make(OpCopy, m.Sort, m, to, at, n, from, obj, slot)
}

// Objects' identities are numbers whose upper half says where they come from: input objects carry the region of their
// type, fresh ones RegionFresh (and their number), string constants and package-level variables regions of their own.
const (
	RegionFresh  = 0x8000
	RegionStatic = 0x4000
)

// regionSet is an upper bound of an object's regions: a sorted list, or everything. The region of nil is 0.
type regionSet struct {
	any  bool
	list []uint32
}

const maxRegions = 12

// disjoint says that two objects cannot be the same because they come from different regions.
func (b *Builder) disjoint(x, y *Term) bool {
	p, q := b.region(x), b.region(y)
	if p.any || q.any {
		return false
	}
	for _, r := range p.list {
		for _, s := range q.list {
			if r == s {
				return false
			}
		}
	}
	return true
}

func (b *Builder) region(t *Term) regionSet {
	switch t.Op {
	case OpConst:
		return regionSet{list: []uint32{uint32(t.Val) >> 16}}
	case OpVar, OpSelect:
		if d := t.Var.Domain; (d.Role == RoleObj || d.Role == RoleStrObj) && d.Region != 0 {
			return regionSet{list: []uint32{0, d.Region}}
		}
		return regionSet{any: true}
	case OpIte:
		if r, ok := b.regions[t]; ok {
			return r
		}
		r := union(b.region(t.Args[1]), b.region(t.Args[2]))
		b.regions[t] = r
		return r
	}
	return regionSet{any: true}
}

func union(p, q regionSet) regionSet {
	if p.any || q.any {
		return regionSet{any: true}
	}
	out := regionSet{list: append([]uint32(nil), p.list...)}
	for _, r := range q.list {
		found := false
		for _, s := range out.list {
			found = found || r == s
		}
		if !found {
			out.list = append(out.list, r)
		}
	}
	out.any = len(out.list) > maxRegions
	return out
}
