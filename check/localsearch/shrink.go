package localsearch

import (
	"slices"

	"dsd/check/logic"
)

// Shrink returns a model in which the terms, which are true in m, are true, and in which numbers and
// lengths are smaller where one at a time can be.
func Shrink(terms []*logic.Term, m *logic.Model) *logic.Model {
	s := &search{state: newState(terms)}
	s.load(m)
	if !s.allTrue() {
		return m
	}
	s.shrink(s.work + Quick)
	return s.model()
}

// shrink makes inputs smaller, one at a time, while all roots stay true.
func (s *search) shrink(budget int) {
	for changed := true; changed; {
		changed = false
		for _, i := range s.inputs {
			t := s.nodes[i].term
			// A byte is perhaps one of a string, which is better left readable.
			if t.Sort.Kind != logic.KBV || t.Sort.Bits == 8 || !shrinks(t.Var.Domain.Role) {
				continue
			}
			for _, v := range smaller(s.values[i], t.Sort.Bits) {
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
