package invariant

import "slices"

// eqset is a set of variables that were equal in all samples so far [DAIKON: equality sets]. What
// holds for one member holds for all. So only the leader has a summary and takes part in pairs and
// triples.
type eqset struct {
	// members holds columns. The first is the leader. Variables that always exist come before
	// those that do not.
	members []int
}

// splitSets splits the sets whose members differ in a batch. It returns all sets, and for each new
// one the leader that its members had before.
func splitSets(sets []*eqset, b *batch) (all []*eqset, from map[*eqset]int) {
	for _, s := range sets {
		all = append(all, s)
		if len(s.members) == 1 {
			continue
		}
		leader := s.members[0]
		parts := []*eqset{s}
		members := s.members
		s.members = s.members[:1:1]
	next:
		for _, m := range members[1:] {
			for _, part := range parts {
				if b.columns[m].equal(&b.columns[part.members[0]]) {
					part.members = append(part.members, m)
					continue next
				}
			}
			parts = append(parts, &eqset{[]int{m}})
		}
		for _, part := range parts[1:] {
			if from == nil {
				from = map[*eqset]int{}
			}
			from[part] = leader
			all = append(all, part)
		}
	}
	return all, from
}

// equal reports whether two variables had the same value, or did not exist, in each sample. NaN is
// equal to nothing.
func (v *vector) equal(w *vector) bool {
	if !slices.Equal(v.code, w.code) {
		return false
	}
	if len(v.missing)+len(w.missing) > 0 {
		for i := range v.code {
			if v.present(i) != w.present(i) {
				return false
			}
		}
	}
	for i := range v.unrepresentable {
		if v.isNaN(i) {
			return false
		}
	}
	return true
}
