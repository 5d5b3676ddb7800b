package logic

import (
	"math/bits"
	"slices"

	"dsd/internal/reuse"
)

// Set is a set of terms of one Builder. The zero value is empty.
type Set struct {
	words []uint64 // a bit for each ID
}

// Add adds a term, and reports whether it was not in the set.
func (s *Set) Add(t *Term) bool {
	i := t.ID / 64
	if i >= len(s.words) {
		s.words = append(s.words, make([]uint64, i+1-len(s.words))...)
	}
	bit := uint64(1) << (t.ID % 64)
	added := s.words[i]&bit == 0
	s.words[i] |= bit
	return added
}

// Clear makes the set empty.
func (s *Set) Clear() { clear(s.words) }

// Has reports whether a term is in the set.
func (s *Set) Has(t *Term) bool {
	i := t.ID / 64
	return i < len(s.words) && s.words[i]>>(t.ID%64)&1 == 1
}

// addParts adds a term and its parts, and calls found for each that was not in the set; for operands first.
func (s *Set) addParts(t *Term, found func(*Term)) {
	if !s.Add(t) {
		return
	}
	for _, a := range t.Args {
		s.addParts(a, found)
	}
	found(t)
}

// Graph is the parts of some terms of one Builder, by numbers. Operands have lower numbers than the terms that
// contain them.
type Graph struct {
	// Terms are the parts, in the order of their IDs. Args are the numbers of their operands, and Users
	// of the terms that they are operands of.
	Terms       []*Term
	Args, Users [][]int32
	// Roots are the numbers of the terms; in place of a conjunction, those of what it joins.
	Roots []int32

	number       numbers
	args, users  []int32 // the elements of Args and Users
	uses         []int32 // their number, of each part
	roots, found []*Term // scratch
}

// NewGraph returns the graph of terms.
func NewGraph(terms []*Term) *Graph {
	g := &Graph{}
	g.Begin(terms)
	return g
}

// Begin makes g the graph of terms, in the memory that it has.
func (g *Graph) Begin(terms []*Term) {
	g.roots = g.roots[:0]
	for _, t := range terms {
		g.roots = appendConjuncts(g.roots, t)
	}
	g.Terms, g.found = g.number.parts(g.roots, g.Terms, g.found)
	g.link()
	g.Roots = g.Roots[:0]
	for _, t := range g.roots {
		g.Roots = append(g.Roots, g.number.of(t))
	}
	slices.Sort(g.Roots)
	g.Roots = slices.Compact(g.Roots)
}

// End forgets the terms, but not the memory.
func (g *Graph) End() {
	clear(g.Terms)
	clear(g.roots)
	clear(g.found)
}

// link sets Args and Users.
func (g *Graph) link() {
	count, operands := len(g.Terms), 0
	for _, t := range g.Terms {
		operands += len(t.Args)
	}
	g.Args, g.Users = reuse.Slice(g.Args, count), reuse.Slice(g.Users, count)
	g.args, g.users = reuse.Slice(g.args, operands)[:0], reuse.Slice(g.users, operands)
	g.uses = reuse.Slice(g.uses, count)
	clear(g.uses)
	for i, t := range g.Terms {
		from := len(g.args)
		for _, a := range t.Args {
			n := g.number.of(a)
			g.args = append(g.args, n)
			g.uses[n]++
		}
		g.Args[i] = g.args[from:len(g.args):len(g.args)]
	}
	users := g.users
	for i, n := range g.uses {
		g.Users[i], users = users[:0:n], users[n:]
	}
	for i, list := range g.Args {
		for _, a := range list {
			g.Users[a] = append(g.Users[a], int32(i))
		}
	}
}

// numbers numbers the members of a set in the order of their IDs.
type numbers struct {
	Set
	before []int32 // the number of members before those of each word
}

// parts makes the terms and all their parts the members, and returns them in their order, in which operands come
// first. It does so in the memory of out and found, which it returns.
func (n *numbers) parts(terms, out, found []*Term) ([]*Term, []*Term) {
	n.Clear()
	found = found[:0]
	for _, t := range terms {
		n.addParts(t, func(t *Term) { found = append(found, t) })
	}
	n.before = reuse.Slice(n.before, len(n.words))
	sum := int32(0)
	for i, w := range n.words {
		n.before[i] = sum
		sum += int32(bits.OnesCount64(w))
	}
	out = reuse.Slice(out, len(found))
	for _, t := range found {
		out[n.of(t)] = t
	}
	return out, found
}

// of returns the number of a member.
func (n *numbers) of(t *Term) int32 {
	i, lower := t.ID/64, uint64(1)<<(t.ID%64)-1
	return n.before[i] + int32(bits.OnesCount64(n.words[i]&lower))
}

// appendConjuncts appends what a term joins by OpAnd; itself, if it is no conjunction.
func appendConjuncts(list []*Term, t *Term) []*Term {
	if t.Op != OpAnd {
		return append(list, t)
	}
	for _, a := range t.Args {
		list = appendConjuncts(list, a)
	}
	return list
}

// Leaves returns the variables and initial cells in the terms, each once. The leaves in the address
// of a cell come before the cell.
func Leaves(terms ...*Term) []*Term {
	var s Set
	var out []*Term
	for _, t := range terms {
		s.addParts(t, func(t *Term) {
			if t.Op == OpVar || t.Op == OpSelect {
				out = append(out, t)
			}
		})
	}
	return out
}

// Size returns the number of different nodes of the terms.
func Size(terms ...*Term) int {
	var s Set
	n := 0
	for _, t := range terms {
		s.addParts(t, func(*Term) { n++ })
	}
	return n
}

// Finder tells in which terms certain leaves are. It looks at each part of them once, also if several terms
// share it.
type Finder struct {
	wanted       func(leaf *Term) bool
	known, found Set
}

// NewFinder returns a Finder of the leaves (see Leaves) for which wanted is true.
func NewFinder(wanted func(leaf *Term) bool) *Finder { return &Finder{wanted: wanted} }

// In reports whether a wanted leaf is in the term.
func (f *Finder) In(t *Term) bool {
	switch {
	case t.Op == OpConst:
		return false
	case !f.known.Add(t):
		return f.found.Has(t)
	}
	found := (t.Op == OpVar || t.Op == OpSelect) && f.wanted(t) || slices.ContainsFunc(t.Args, f.In)
	if found {
		f.found.Add(t)
	}
	return found
}
