package logic

// writes is what was written to a memory since an earlier one. An object that is in neither list was not
// written to.
type writes struct {
	since *Term // nil if there is no earlier memory, or too much was written
	// regions are those of the objects that are not constants, objects the first n of the constants.
	regions regionSet
	n       uint8
	objects [maxWritten]uint32
}

// maxWritten is the number of constant objects that are listed; of further ones it is the regions.
const maxWritten = 6

// pastWrites returns the memory before the last writes to m, without those that are clearly not to (obj, slot).
// To look at a write costs less than to look up in the table of reads whether that was done before. But it stops at one
// memory in 32, so that reads at an address after each of n writes take time linear in n.
func (b *Builder) pastWrites(m, obj, slot *Term) *Term {
	at := b.region(obj)
	for {
		switch m.Op {
		case OpStore, OpFill, OpReplace, OpCopy:
			if !b.elsewhere(m, obj, slot, &at) {
				return m
			}
			m = m.Args[0]
		case OpIte:
			w := b.written(m)
			if w.since == nil || w.has(obj, &at) {
				return m
			}
			m = w.since
		default:
			return m
		}
		if m.ID%32 == 0 {
			return m
		}
	}
}

// elsewhere reports whether the last write to m is clearly not to (obj, slot); at is the region of obj.
func (b *Builder) elsewhere(m, obj, slot *Term, at *regionSet) bool {
	to := m.Args[1]
	switch {
	case to == obj:
		return m.Op == OpStore && m.Args[2].Op == OpConst && slot.Op == OpConst && m.Args[2] != slot
	case to.Op == OpConst && obj.Op == OpConst:
		return true
	}
	r := b.region(to)
	return r.disjoint(at)
}

// written returns what was written to either branch of an OpIte since the last memory that both come from.
func (b *Builder) written(m *Term) *writes {
	if w := b.writes[m]; w != nil {
		return w
	}
	w := &writes{}
	x, y := m.Args[1], m.Args[2]
	for x != y { // the older one has the lower ID
		if x.ID < y.ID {
			x, y = y, x
		}
		if x = b.before(x, w); x == nil || w.regions.any {
			b.writes[m] = w
			return w
		}
	}
	w.since = x
	b.writes[m] = w
	return w
}

// before returns the memory before the last writes to m, which it adds to w; nil if there is none.
func (b *Builder) before(m *Term, w *writes) *Term {
	switch m.Op {
	case OpStore, OpFill, OpReplace, OpCopy:
		if to := m.Args[1]; to.Op == OpConst {
			w.add(uint32(to.Val))
		} else {
			w.regions = union(w.regions, b.region(to))
		}
		return m.Args[0]
	case OpIte:
		inner := b.written(m)
		w.regions = union(w.regions, inner.regions)
		for _, o := range inner.objects[:inner.n] {
			w.add(o)
		}
		return inner.since
	}
	return nil
}

// add adds a constant object.
func (w *writes) add(o uint32) {
	for _, p := range w.objects[:w.n] {
		if o == p {
			return
		}
	}
	if w.n == maxWritten {
		w.regions = union(w.regions, regionSet{n: 1, list: [maxRegions]uint32{o >> 16}})
		return
	}
	w.objects[w.n] = o
	w.n++
}

// has reports whether obj may be among the objects; at is its region.
func (w *writes) has(obj *Term, at *regionSet) bool {
	if !w.regions.disjoint(at) {
		return true
	}
	for _, o := range w.objects[:w.n] {
		if k, ok := obj.Const(); ok && uint32(k) == o || !ok && (at.any || at.has(o>>16)) {
			return true
		}
	}
	return false
}
