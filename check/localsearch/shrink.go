package localsearch

import (
	"slices"

	"dsd/check/logic"
)

// Shrink returns a model in which the terms, which are true in m, are true, and in which numbers and
// lengths are smaller where one at a time can be.
func Shrink(terms []*logic.Term, m *logic.Model) *logic.Model {
	s := New(logic.NewGraph(terms))
	s.load(m)
	if !s.allTrue() {
		return m
	}
	s.shrink(s.work + Quick)
	return s.model()
}

// shrink makes inputs smaller, one at a time or several near each other, while all roots stay true.
func (s *Search) shrink(budget int) {
	for changed := true; changed; {
		changed = s.shrinkTogether(budget)
		for _, i := range s.inputs {
			t := s.nodes[i].term
			// A byte is perhaps one of a string, which is better left readable.
			if t.Sort.Kind != logic.KBV || t.Sort.Bits() == 8 || !shrinks(t.Var.Domain.Role) {
				continue
			}
			for _, v := range smaller(s.values[i], t.Sort.Bits()) {
				if s.work >= budget {
					return
				}
				s.assign(i, v)
				if s.allTrue() {
					changed = true
					break
				}
				s.undo()
			}
		}
	}
}

// near is how far apart numbers are that are made smaller together: an index and a length, for instance.
const near = 2

// shrinkTogether makes inputs smaller that are near each other, by the same difference, and reports whether
// any were.
func (s *Search) shrinkTogether(budget int) (changed bool) {
	done := map[uint64]bool{}
	for _, i := range s.inputs {
		t, v := s.nodes[i].term, s.values[i]
		if t.Sort != logic.Int || !shrinks(t.Var.Domain.Role) || done[v] || magnitude(int64(v)) <= 16 {
			continue
		}
		done[v] = true
		var group []int32
		for _, j := range s.inputs {
			if u := s.nodes[j].term; u.Sort == t.Sort && shrinks(u.Var.Domain.Role) &&
				magnitude(int64(s.values[j]-v)) <= near {
				group = append(group, j)
			}
		}
		if len(group) < 2 {
			continue
		}
		before := s.model()
		for _, w := range smaller(v, t.Sort.Bits()) {
			if s.work >= budget {
				return changed
			}
			for _, j := range group {
				s.assign(j, s.values[j]-v+w)
			}
			if s.allTrue() {
				changed = true
				break
			}
			s.load(before)
		}
	}
	return changed
}

// shrinks reports whether inputs of a role have a size.
func shrinks(r logic.Role) bool {
	switch r {
	case logic.RoleNone, logic.RoleLen, logic.RoleCap, logic.RoleStrLen, logic.RoleMapLen:
		return true
	}
	return false
}

// smaller returns values to try in place of v, about from the smallest on; none if v is small.
func smaller(v uint64, bits int) []uint64 {
	shift := 64 - bits
	signed := func(v uint64) int64 { return int64(v<<shift) >> shift }
	n := signed(v)
	var out []uint64
	for _, k := range [...]int64{0, 1, -1, 2, 3, 4, 8, 16, n / 2, n - n/8, n - 1, n + 1} {
		k = signed(uint64(k))
		// No other number becomes negative: where it is read as unsigned, that would be large.
		less := magnitude(k) < magnitude(n) && (k >= 0 || n < 0) || k == -n && k > 0
		if value := uint64(k) << shift >> shift; less && !slices.Contains(out, value) {
			out = append(out, value)
		}
	}
	return out
}

// magnitude returns the absolute value of n, also that of the smallest number.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
