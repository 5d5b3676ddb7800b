package main

import (
	"go/token"
	"maps"
	"math/big"
	"slices"

	"dsd/internal/expr"
)

// facts is what the invariants of a program point state, in a form from which others follow:
//
//   - a graph of difference bounds u - v <= c, whose shortest paths are the bounds that follow;
//   - classes of equal variables;
//   - sets of values that a variable is one of;
//   - linear equations, solved by elimination;
//   - sets of what has no such form: references that are nil, sorted sequences and so on.
//
// Add everything first. The first question computes what the later ones share.
//
// Numbers are treated as integers: x < y is x - y <= -1, for floats as well.
type facts struct {
	parent    map[variable]variable // union-find forest of equal variables
	edges     []edge
	edgeAt    map[[2]variable]int // index of the edge between two variables
	sets      map[variable]values
	equations []sum // each is 0

	null, nonNull, same map[variable]bool // references: nil, not nil, the same in all samples
	flags               map[variable]bool // variables that are bools
	nonZero             map[variable]bool // sequences without a zero
	powers              map[variable]bool // powers of two
	sorted              map[variable]token.Token
	different           [][2]variable
	members             [][2]variable // an element, and the sequence it is in
	divisors            [][2]variable // a number, and one that divides it
	implications        []implication

	closed bool
	out    map[variable][]step             // edges by their origin
	paths  map[variable]map[variable]bound // shortest paths by their origin
	merged map[variable]values             // sets by the root of their variables
	solved []pivot                         // the equations, triangular
}

// edge is the difference bound from - to <= c.
type edge struct {
	from, to variable
	c        *big.Rat
}

// step is an edge of a known origin.
type step struct {
	to variable
	c  *big.Rat
}

// bound is the length of a path; nil if there is none.
type bound = *big.Rat

// implication is an invariant that is conditional on the sample, not on the existence of its
// variables.
type implication struct {
	guards []expr.Expr
	then   *facts
}

func newFacts() *facts {
	return &facts{
		parent:  map[variable]variable{},
		edgeAt:  map[[2]variable]int{},
		sets:    map[variable]values{},
		null:    map[variable]bool{},
		nonNull: map[variable]bool{},
		same:    map[variable]bool{},
		flags:   map[variable]bool{},
		nonZero: map[variable]bool{},
		powers:  map[variable]bool{},
		sorted:  map[variable]token.Token{},
	}
}

// atMost adds u - v <= c.
func (f *facts) atMost(u, v variable, c *big.Rat) {
	if at, ok := f.edgeAt[[2]variable{u, v}]; !ok {
		f.edgeAt[[2]variable{u, v}] = len(f.edges)
		f.edges = append(f.edges, edge{u, v, c})
	} else if c.Cmp(f.edges[at].c) < 0 {
		f.edges[at].c = c
	}
}

func (f *facts) equal(a, b variable) {
	f.parent[f.root(a)] = f.root(b)
	f.atMost(a, b, zero)
	f.atMost(b, a, zero)
}

// among adds that v has one of the values, and one of those that were added before.
func (f *facts) among(v variable, set values) {
	if have, ok := f.sets[v]; ok {
		set = have.intersect(set)
	}
	f.sets[v] = set
}

// root returns the representative of the variables that are equal to v.
func (f *facts) root(v variable) variable {
	for {
		p, ok := f.parent[v]
		if !ok || p == v {
			return v
		}
		v = p
	}
}

// close prepares the facts for questions: equations of the form x == y + c become edges, and the
// least element of a sequence is at most the greatest.
func (f *facts) close() {
	if f.closed {
		return
	}
	f.closed = true
	for _, eq := range f.equations {
		if terms := eq.terms(); len(terms) == 2 {
			u, v := terms[0], terms[1]
			if new(big.Rat).Add(eq[u], eq[v]).Sign() == 0 {
				c := new(big.Rat).Quo(eq.offset(), eq[v]) // u - v == -offset/eq[u]
				f.atMost(u, v, c)
				f.atMost(v, u, new(big.Rat).Neg(c))
			}
		}
	}
	for _, e := range slices.Clone(f.edges) {
		for _, v := range []variable{e.from, e.to} {
			if v.part == least || v.part == greatest {
				f.atMost(variable{least, v.name}, variable{greatest, v.name}, zero)
			}
		}
	}
	f.out = map[variable][]step{}
	for _, e := range f.edges {
		f.out[e.from] = append(f.out[e.from], step{e.to, e.c})
	}
	f.triangulate()
	f.paths = map[variable]map[variable]bound{}
	f.merged = map[variable]values{}
	for v, set := range f.sets {
		r := f.root(v)
		if have, ok := f.merged[r]; ok {
			set = have.intersect(set)
		}
		f.merged[r] = set
	}
	lists := []*map[variable]bool{&f.null, &f.nonNull, &f.same, &f.nonZero, &f.powers, &f.flags}
	for _, list := range lists {
		all := maps.Clone(*list)
		for v := range *list {
			all[f.root(v)] = true
		}
		*list = all
	}
}

// maxSteps bounds the length of the paths that are found.
const maxSteps = 12

// path returns the least c for which u - v <= c is known, nil if there is none: the shortest path
// from u to v, by Bellman and Ford's relaxation.
func (f *facts) path(u, v variable) bound {
	f.close()
	if u == v {
		return zero
	}
	dist := f.paths[u]
	if dist == nil {
		dist = map[variable]bound{u: zero}
		reached := []variable{u}
		for changed, n := true, 0; changed && n < maxSteps; n++ {
			changed = false
			for _, x := range slices.Clone(reached) {
				for _, s := range f.out[x] {
					d := new(big.Rat).Add(dist[x], s.c)
					if have := dist[s.to]; have == nil || d.Cmp(have) < 0 {
						if have == nil {
							reached = append(reached, s.to)
						}
						dist[s.to], changed = d, true
					}
				}
			}
		}
		f.paths[u] = dist
	}
	return dist[v]
}

// top returns the upper bound of v, and bottom its lower bound; nil if none is known.
func (f *facts) top(v variable) bound { return f.path(v, one) }

// bottom returns the least number that v can be, nil if none is known. A length is not negative.
func (f *facts) bottom(v variable) bound {
	if c := f.path(one, v); c != nil && (c.Sign() <= 0 || !v.isLength()) {
		return new(big.Rat).Neg(c)
	}
	if v.isLength() {
		return zero
	}
	return nil
}

// exactly returns the only number that v can be, nil if that is not known.
func (f *facts) exactly(v variable) *big.Rat {
	if lo, hi := f.bottom(v), f.top(v); lo != nil && hi != nil && lo.Cmp(hi) == 0 {
		return lo
	}
	return nil
}

// isConstant reports whether v, which has one of the values, is the same in all samples.
func (f *facts) isConstant(v variable, set values) bool {
	return f.in(v, f.same) || f.in(v, f.null) || len(set) == 1 || f.exactly(v) != nil
}

// equals reports whether two variables are known to be equal.
func (f *facts) equals(a, b variable) bool { return f.root(a) == f.root(b) }

// in reports whether v is equal to a variable of a set.
func (f *facts) in(v variable, set map[variable]bool) bool {
	f.close()
	return set[v] || set[f.root(v)]
}

// values returns the values that e is one of, nil if that is not known. An element is one of the
// values of all elements.
func (f *facts) values(e expr.Expr) values {
	set := f.valuesOf(variableOf(whole, e))
	if of, _ := sequenceOf(e); of != nil {
		if all, ok := f.sets[variableOf(each, of)]; ok {
			if set == nil {
				return all
			}
			return set.intersect(all)
		}
	}
	return set
}

func (f *facts) valuesOf(v variable) values {
	f.close()
	return f.merged[f.root(v)]
}

// plain returns a sum with constants for what is constant, and one name for what is equal.
func (f *facts) plain(s sum) sum {
	out := sum{}
	for v, c := range s {
		if v == one {
			out.add(one, c)
		} else if n := f.exactly(v); n != nil {
			out.add(one, new(big.Rat).Mul(c, n))
		} else {
			out.add(f.root(v), c)
		}
	}
	return out
}

// pivot is an equation with the variable that it is solved for. That variable is in no later
// equation of the triangular form.
type pivot struct {
	v   variable
	row sum
}

// solve reports whether the equation eq == 0 follows from the equations that are known, by
// Gaussian elimination.
func (f *facts) solve(eq sum) bool {
	f.close()
	return len(f.eliminate(eq)) == 0
}

// triangulate solves the equations that are known.
func (f *facts) triangulate() {
	for _, row := range f.rows() {
		row = f.eliminate(row)
		if terms := row.terms(); len(terms) > 0 {
			f.solved = append(f.solved, pivot{terms[0], row})
		}
	}
}

func (f *facts) eliminate(row sum) sum {
	for _, p := range f.solved {
		if c := row[p.v]; c != nil {
			row = row.plus(p.row, new(big.Rat).Quo(new(big.Rat).Neg(c), p.row[p.v]))
		}
	}
	return row
}

// rows returns the equations, and those of edges in both directions.
func (f *facts) rows() []sum {
	rows := slices.Clone(f.equations)
	for _, e := range f.edges {
		back, ok := f.edgeAt[[2]variable{e.to, e.from}]
		if !ok || new(big.Rat).Add(e.c, f.edges[back].c).Sign() != 0 {
			continue
		}
		row := sum{}
		if e.from != one { // which stands for 0 in edges
			row.add(e.from, oneRat)
		}
		if e.to != one {
			row.add(e.to, minusOne)
		}
		row.add(one, new(big.Rat).Neg(e.c))
		rows = append(rows, row)
	}
	return rows
}
