package logic

// The upper half of the identity of an object is its region. Input objects have the region of their
// type. Fresh objects have RegionFresh, and their number in the lower half. String constants and
// package-level variables have regions of their own, from RegionStatic on.
const (
	RegionFresh  = 0x8000
	RegionStatic = 0x4000
)

// regionSet is an upper bound of the regions of an object: a list of regions, or any region. The
// region of nil is 0.
type regionSet struct {
	any  bool
	list []uint32
}

// maxRegions is the largest number of regions that a set lists.
const maxRegions = 12

// disjoint reports whether two objects must differ because they have no region in common.
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

// region returns the regions of an object.
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
