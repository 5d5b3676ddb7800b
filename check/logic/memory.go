package logic

// Select returns the value of memory m at (obj, slot). It resolves all writes, so the result
// mentions initial contents only:
//
//	store(m, o, s, v)[p, t]   = v if p = o and t = s, otherwise m[p, t]
//	fill(m, o, v)[p, t]       = v if p = o, otherwise m[p, t]
//	replace(m, o, n)[p, t]    = n[p, t] if p = o, otherwise m[p, t]
//	copy(m, o, s, k, n, q, r)[p, t]
//	                          = n[q, r+t-s] if p = o and t-s < k (unsigned), otherwise m[p, t]
//
// The first read at an address takes time linear in the number of writes between m and its initial
// contents; repeated reads take constant time. A copy of an unknown range may double the number of
// addresses that are read; Limit bounds that.
func (b *Builder) Select(m, obj, slot *Term) *Term {
	r := read{memory: uint32(m.ID), object: uint32(obj.ID), slot: uint32(slot.ID)}
	if known := b.reads.find(r.memory, r.object, r.slot); known.result != 0 {
		return b.terms.byID(known.result)
	}
	var t *Term
	if past := b.pastWrites(m, obj, slot); past != m {
		t = b.Select(past, obj, slot)
	} else {
		t = b.read(m, obj, slot)
	}
	r.result = uint32(t.ID)
	b.reads.add(r)
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
		here := b.Eq(obj, m.Args[1])
		if !here.IsFalse() {
			here = b.And(here, b.Eq(slot, m.Args[2]))
		}
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
		a, to, at, n := m.Args[0], m.Args[1], m.Args[2], m.Args[3]
		from, obj2, slot2 := m.Args[4], m.Args[5], m.Args[6]
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

// initial returns the initial contents of a memory at (obj, slot).
func (b *Builder) initial(v *Var, obj, slot *Term) *Term {
	if v == Unset {
		return b.False()
	}
	if v.Domain.Role == RoleSlot && !b.AnyTime {
		return b.Const(Slot, 0)
	}
	if o, ok := obj.Const(); ok {
		if text, ok := b.Literals[uint32(o)]; ok && v.Sort.Value() == BV(8) {
			return b.literalByte(v, text, obj, slot)
		}
		if at, ok := slot.Const(); ok && b.Contents != nil {
			if c, ok := b.Contents(Cell{v, uint32(o), at}); ok {
				return b.Const(v.Sort.Value(), c)
			}
		}
	}
	return b.intern(Term{Op: OpSelect, Sort: v.Sort.Value(), Var: v}, obj, slot)
}

// literalByte returns a byte of a string constant. Out of range any value will do, since lowering
// asserts the range.
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

// Store returns memory m with v at (obj, slot).
func (b *Builder) Store(m, obj, slot, v *Term) *Term {
	if m.Op == OpStore && m.Args[1] == obj && m.Args[2] == slot {
		m = m.Args[0]
	}
	return b.make(OpStore, m.Sort, m, obj, slot, v)
}

// Fill returns memory m with v in every slot of obj.
func (b *Builder) Fill(m, obj, v *Term) *Term { return b.make(OpFill, m.Sort, m, obj, v) }

// Replace returns memory m with object obj taken from memory from.
func (b *Builder) Replace(m, obj,
	from *Term) *Term {
	return b.make(OpReplace, m.Sort, m, obj, from)
}

// Copy returns memory m with n slots of object to, beginning at slot at, copied from object obj of
// memory from, beginning at slot slot. Source and target may overlap, as in Go's copy.
func (b *Builder) Copy(m, to, at, n, from, obj, slot *Term) *Term {
	if k, ok := n.Const(); ok && k == 0 {
		return m
	}
	return b.make(OpCopy, m.Sort, m, to, at, n, from, obj, slot)
}
