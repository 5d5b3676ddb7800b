package logic

// The upper half of the identity of an object is its region. Input objects have the region of their
// type. Fresh objects have RegionFresh, and their number in the lower half. String constants and
// package-level variables have regions of their own, from RegionStatic on.
const (
	RegionFresh  = 0x8000
	RegionStatic = 0x4000
)

// regionSet is an upper bound of the regions of an object: the first n of a list, or any region. The
// region of nil is 0.
type regionSet struct {
	any  bool
	n    uint8
	list [maxRegions]uint32
}

// maxRegions is the largest number of regions that a set lists.
const maxRegions = 12

// disjoint reports whether two objects must differ because they have no region in common.
func (b *Builder) disjoint(x, y *Term) bool {
	p, q := b.region(x), b.region(y)
	return p.disjoint(&q)
}

// disjoint reports whether two sets have no region in common.
func (s *regionSet) disjoint(other *regionSet) bool {
	if s.any || other.any {
		return false
	}
	for _, r := range s.list[:s.n] {
		if other.has(r) {
			return false
		}
	}
	return true
}

// region returns the regions of an object.
func (b *Builder) region(t *Term) (s regionSet) {
	switch t.Op {
	case OpConst:
		s.list[0], s.n = uint32(t.Val)>>16, 1
		return s
	case OpVar, OpSelect:
		if d := &t.Var.Domain; (d.Role == RoleObj || d.Role == RoleStrObj) && d.Region != 0 {
			s.list[1], s.n = d.Region, 2 // and 0
			return s
		}
	case OpIte:
		if r, ok := b.regions[t]; ok {
			return r
		}
		s = union(b.region(t.Args[1]), b.region(t.Args[2]))
		b.regions[t] = s
		return s
	}
	return regionSet{any: true}
}

// has reports whether a set that is not any lists a region.
func (s *regionSet) has(r uint32) bool {
	for _, q := range s.list[:s.n] {
		if q == r {
			return true
		}
	}
	return false
}

func union(p, q regionSet) regionSet {
	if p.any || q.any {
		return regionSet{any: true}
	}
	for _, r := range q.list[:q.n] {
		if p.has(r) {
			continue
		}
		if p.n == maxRegions {
			return regionSet{any: true}
		}
		p.list[p.n] = r
		p.n++
	}
	return p
}
