package vcgen

import (
	"slices"

	"dsd/check/logic"
)

// memories are the contents of all memories of the testee at one point of an execution. A large testee has ten thousand
// of them, and a function uses few: one that is not written has no term, and copies share pages until they write
// to them.
type memories struct {
	b *logic.Builder
	// vars are the initial contents, by Index.
	vars []*logic.Var
	// pages have the contents of pageSize memories each, nil for their initial contents; so has a nil page.
	pages []*page
	// owner marks the pages that are not shared, which set may change in place.
	owner *owner
}

const pageSize = 32

type page struct {
	owner *owner
	terms [pageSize]*logic.Term
}

// An owner is compared by its address. It has a size, since values of no size may share one.
type owner struct{ _ byte }

func newMemories(b *logic.Builder, vars []*logic.Var) *memories {
	return &memories{b: b, vars: vars, pages: make([]*page, (len(vars)+pageSize-1)/pageSize), owner: new(owner)}
}

// get returns the contents of the memory with that index.
func (m *memories) get(index int) *logic.Term {
	if p := m.pages[index/pageSize]; p != nil && p.terms[index%pageSize] != nil {
		return p.terms[index%pageSize]
	}
	if v := m.vars[index]; v.Domain.Role != logic.RoleUnset {
		return m.b.Var(v)
	}
	return m.b.Var(logic.Unset)
}

// set writes the memory with that index.
func (m *memories) set(index int, t *logic.Term) {
	p := m.pages[index/pageSize]
	switch {
	case p == nil:
		p = &page{owner: m.owner}
	case p.owner != m.owner:
		p = &page{m.owner, p.terms}
	}
	m.pages[index/pageSize] = p
	p.terms[index%pageSize] = t
}

// copy returns a copy. Neither changes what is written to the other.
func (m *memories) copy() *memories {
	m.owner = new(owner) // all pages are shared now, so both must copy a page before they change it
	return &memories{m.b, m.vars, slices.Clone(m.pages), new(owner)}
}

// equal reports whether both have the same contents.
func (m *memories) equal(other *memories) bool {
	for i, p := range m.pages {
		q := other.pages[i]
		if p == q {
			continue
		}
		for at := i * pageSize; at < min((i+1)*pageSize, len(m.vars)); at++ {
			if m.get(at) != other.get(at) {
				return false
			}
		}
	}
	return true
}

// join returns memories whose contents are join of those of both, where they differ.
func (m *memories) join(other *memories, join func(x, y *logic.Term) *logic.Term) *memories {
	out := m.copy()
	for i, p := range m.pages {
		q := other.pages[i]
		if p == q {
			continue
		}
		for at := i * pageSize; at < min((i+1)*pageSize, len(m.vars)); at++ {
			if x, y := m.get(at), other.get(at); x != y {
				out.set(at, join(x, y))
			}
		}
	}
	return out
}

// forget sets the memories of a role to their initial contents.
func (m *memories) forget(role logic.Role) {
	for i, p := range m.pages {
		if p == nil {
			continue
		}
		for at := i * pageSize; at < min((i+1)*pageSize, len(m.vars)); at++ {
			if m.vars[at].Domain.Role == role && p.terms[at%pageSize] != nil {
				m.set(at, nil)
				p = m.pages[i]
			}
		}
	}
}
