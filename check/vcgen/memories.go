package vcgen

import (
	"slices"

	"dsd/check/logic"
)

// memories are the contents of all memories of the testee at one place of an execution. Of a large testee there are ten
// thousand, and a function reads and writes a few: those that are not written have no term, and a copy shares the
// others until one of the two is written.
type memories struct {
	b *logic.Builder
	// vars are the initial contents, by Index.
	vars []*logic.Var
	// pages have the contents of pageSize memories each, nil for their initial contents; so has a nil page.
	pages []*page
	// owner is that of the pages that nobody else has.
	owner *owner
}

const pageSize = 32

type page struct {
	owner *owner
	terms [pageSize]*logic.Term
}

// owner is an identity; it has a size, so that two have different addresses.
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
	m.owner = new(owner) // what was written so far belongs to nobody
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
