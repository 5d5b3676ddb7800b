package invariant

import (
	"slices"

	"dsd/internal/expr"
)

// triples are the templates over three integers.
type triples struct {
	list []*triple
}

// triple is the summary of three comparable variables that always existed, of which one at least was not constant. Of others nothing is told: the
// evidence would be of samples in which not all three were.
type triple struct {
	at [3]int // columns
	// alive are the functions that no sample spoke against: bit 3*f+r of functions[f] with at[r] as its result.
	alive uint32
	plane plane
}

// function is a template z == f(x, y), whose arguments can be exchanged.
type function struct {
	name string
	of   func(x, y int64) int64
	cond func(x, y expr.Expr) expr.Expr
}

func call(name string) func(x, y expr.Expr) expr.Expr {
	return func(x, y expr.Expr) expr.Expr { return expr.Apply(name, x, y) }
}

func infix(op string) func(x, y expr.Expr) expr.Expr {
	return func(x, y expr.Expr) expr.Expr { return expr.Op(op, x, y) }
}

// functions are those of the template.
var functions = []function{
	{"min", func(x, y int64) int64 { return min(x, y) }, call("min")},
	{"max", func(x, y int64) int64 { return max(x, y) }, call("max")},
	{"and", func(x, y int64) int64 { return x & y }, infix("&")},
	{"or", func(x, y int64) int64 { return x | y }, infix("|")},
	{"xor", func(x, y int64) int64 { return x ^ y }, infix("^")},
	{"gcd", gcdOf, call("gcd")},
	{"product", func(x, y int64) int64 { return x * y }, infix("*")},
}

func gcdOf(x, y int64) int64 { return int64(gcd(distance(x, 0), distance(y, 0))) }

var allFunctions = uint32(1<<(3*len(functions)) - 1)

// learn takes in a batch.
func (t *triples) learn(b *batch, fresh []*triple) {
	if t == nil {
		return
	}
	alive := t.list[:0]
	for _, tr := range t.list {
		if tr.add(b); tr.alive != 0 || !tr.plane.refuted {
			alive = append(alive, tr)
		}
	}
	clear(t.list[len(alive):])
	t.list = append(alive, fresh...)
}

// three says that a variable is one of those of which triples are looked at: an integer, and no element of a sequence that may have none.
func (p *Point) allowsTriples(i int) bool {
	return p.kinds[i] == integer && p.groups[i] != "" && p.decl.Vars[i].Exists == nil
}

// minRows is how many different samples there must be before triples are looked at: fewer justify none.
const minRows = 8

// begin begins the triples of leaders that were all constant and are not any more, and returns those that survive the batch. old says which
// variables varied before it.
func (t *triples) newTriples(p *Point, b *batch, old []bool) (fresh []*triple) {
	if t == nil || p.rows == 0 && b.n < minRows {
		return nil
	}
	byGroup := map[string][]int{}
	for _, s := range p.sets {
		if i := s.members[0]; p.allowsTriples(i) && p.columns[i].alwaysIntegral() {
			byGroup[p.groups[i]] = append(byGroup[p.groups[i]], i)
		}
	}
	for _, s := range p.sets {
		g := p.groups[s.members[0]]
		list := byGroup[g]
		delete(byGroup, g)
		slices.Sort(list)
		for i, x := range list {
			for j := i + 1; j < len(list); j++ {
				y := list[j]
				for _, z := range list[j+1:] {
					if old[x] || old[y] || old[z] || !p.varies[x] && !p.varies[y] && !p.varies[z] {
						continue
					}
					tr := triple{at: [3]int{x, y, z}, alive: allFunctions}
					tr.addConstantPast(p)
					if tr.add(b); tr.alive != 0 || !tr.plane.refuted {
						keep := tr
						fresh = append(fresh, &keep)
					}
				}
			}
		}
	}
	return fresh
}

// past feeds a triple with what its variables were while all were constant.
func (tr *triple) addConstantPast(p *Point) {
	x, y, z := p.columns[tr.at[0]], p.columns[tr.at[1]], p.columns[tr.at[2]]
	if p.rows > 0 {
		tr.addSample(x.values[0], y.values[0], z.values[0])
	}
}

// add takes in a batch.
func (tr *triple) add(b *batch) {
	x, y, z := &b.columns[tr.at[0]], &b.columns[tr.at[1]], &b.columns[tr.at[2]]
	for _, v := range [...]*vector{x, y, z} {
		if len(v.unrepresentable)+len(v.missing) > 0 {
			tr.alive, tr.plane.refuted = 0, true
		}
	}
	for i, u := range x.code {
		if tr.alive == 0 && tr.plane.refuted {
			return
		}
		tr.addSample(u, y.code[i], z.code[i])
	}
}

// one takes in a sample.
func (tr *triple) addSample(x, y, z int64) {
	if tr.alive != 0 {
		v := [3]int64{x, y, z}
		for f := range functions {
			for r := range 3 {
				bit := 3*f + r
				if tr.alive&(1<<bit) == 0 {
					continue
				}
				a, c := v[(r+1)%3], v[(r+2)%3]
				if functions[f].of(a, c) != v[r] {
					tr.alive &^= 1 << bit
				}
			}
		}
	}
	if !tr.plane.refuted {
		tr.plane.add([3]int64{x, y, z})
	}
}

// separate begins the triples of a leader and a member of its set that were equal so far: those of the leader are the member's, too, and
// those of both with a third follow from the pair of the leader with that.
func (t *triples) diverge(p *Point, leader, member int) {
	if t == nil || !p.allowsTriples(leader) || !p.allowsTriples(member) {
		return
	}
	var more []*triple
	for _, tr := range t.list {
		for k, i := range tr.at {
			if i == leader {
				q := *tr
				q.at[k] = member
				q.sort()
				more = append(more, &q)
			}
		}
	}
	for _, s := range p.sets {
		// One without a summary is about to part, too; what it has seen with these it takes along then.
		if third := s.members[0]; third != leader && third != member && p.columns[third] != nil && p.allowsTriples(third) && p.groups[third] == p.groups[leader] && (p.varies[leader] || p.varies[third]) {
			if tr := p.seedFromPair(leader, member, third); tr.alive != 0 || !tr.plane.refuted {
				more = append(more, tr)
			}
		}
	}
	t.list = append(t.list, more...)
}

// sort puts the columns of a triple in order.
func (tr *triple) sort() {
	for _, k := range [][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if i, j := k[0], k[1]; tr.at[i] > tr.at[j] {
			tr.at[i], tr.at[j] = tr.at[j], tr.at[i]
			var alive uint32
			for bit := range 3 * len(functions) {
				if tr.alive&(1<<bit) != 0 {
					r := bit % 3
					switch r {
					case i:
						r = j
					case j:
						r = i
					}
					alive |= 1 << (bit - bit%3 + r)
				}
			}
			tr.alive = alive
			tr.plane.swap(i, j)
		}
	}
}

// twice is what the triple of two variables that were equal, and a third, has seen. Its functions were true of a variable taken twice
// where the pair of it with the third says so.
func (p *Point) seedFromPair(leader, member, third int) *triple {
	tr := &triple{at: [3]int{leader, member, third}}
	x, z := p.columns[leader], p.columns[third]
	tr.plane.refuted = true
	if !x.alwaysIntegral() || !z.alwaysIntegral() {
		return tr
	}
	var between *pair
	for _, pr := range p.pairs {
		if pr.a == min(leader, third) && pr.b == max(leader, third) {
			between = pr
		}
	}
	if between == nil {
		return tr
	}
	q := *between
	if q.a != leader {
		q.swapSides()
	}
	can := func(name string, r int, ok bool) {
		for f := range functions {
			if functions[f].name == name && ok {
				tr.alive |= 1 << (3*f + r)
			}
		}
	}
	relates := func(name string, from int) bool {
		for k := range relations {
			if relations[k].name == name {
				return q.refuted&(1<<(2*k+from)) == 0
			}
		}
		return false
	}
	none := z.constant() && z.values[0] == 0
	can("xor", 2, none)
	can("product", 2, relates("square", 0))
	for _, name := range []string{"min", "max", "and", "or"} {
		can(name, 2, q.order == isEqual)
	}
	can("gcd", 2, relates("gcd-of", 0))
	for r := range 2 {
		can("min", r, q.order&isGreater == 0)
		can("max", r, q.order&isLess == 0)
		can("and", r, relates("bit-subset", 0))
		can("or", r, relates("bit-subset", 1))
		can("xor", r, none)
		can("gcd", r, relates("gcd-with", 0))
		can("product", r, relates("product-with", 0))
	}
	// So far the points were on a line, if they make a plane with others.
	points := [][2]int64{{q.line.x0, q.line.y0}, {q.line.x1, q.line.y1}}[:q.line.points]
	if x.constant() || z.constant() { // upright, or level
		points = [][2]int64{{x.min, z.min}, {x.max, z.max}}
	}
	if tr.plane.refuted = q.line.refuted && !x.constant() && !z.constant(); !tr.plane.refuted {
		for _, at := range points {
			tr.plane.add([3]int64{at[0], at[0], at[1]})
		}
		for _, most := range []int64{x.min, x.max, z.min, z.max} {
			tr.plane.refuted = tr.plane.refuted || most > maxPlaneValue || most < -maxPlaneValue
		}
	}
	tr.sort()
	return tr
}

// order is what the pair of two leaders has seen; all, if it is not kept any more.
func (p *Point) pairOrder(i, j int) uint8 {
	for _, pr := range p.pairs {
		switch {
		case pr.a == i && pr.b == j:
			return pr.order
		case pr.a == j && pr.b == i:
			q := *pr
			q.swapSides()
			return q.order
		}
	}
	return isAny
}

// emit instantiates the templates over three variables.
func (t *triples) emit(p *Point, reps map[int]int, add adder) {
	if t == nil {
		return
	}
	slices.SortFunc(t.list, func(a, b *triple) int { return slices.Compare(a.at[:], b.at[:]) })
	for _, tr := range t.list {
		var cols [3]*column
		old := true
		for k, i := range tr.at {
			cols[k] = p.view(reps[i])
			old = old && p.entryOnly(reps[i])
		}
		confidence := equationConfidence(cols[0], cols[1], cols[2])
		if old || !cols[0].alwaysIntegral() || !cols[1].alwaysIntegral() || !cols[2].alwaysIntegral() {
			continue
		}
		n := min(cols[0].n, cols[1].n, cols[2].n)
		for f := range functions {
			for r := range 3 {
				a, b, c := cols[(r+1)%3], cols[(r+2)%3], cols[r]
				if tr.alive&(1<<(3*f+r)) == 0 || p.pairOrder(tr.at[r], tr.at[(r+1)%3]) == isEqual || p.pairOrder(tr.at[r], tr.at[(r+2)%3]) == isEqual {
					continue
				}
				if between := p.pairOrder(tr.at[(r+1)%3], tr.at[(r+2)%3]); f > 1 || between&isLess != 0 && between&isGreater != 0 {
					add(functions[f].name, nil, expr.Eq(c.variable(), functions[f].cond(a.variable(), b.variable())), confidence, n, c, a, b)
				}
			}
		}
		if cond, params, ok := tr.plane.cond(cols[0].variable(), cols[1].variable(), cols[2].variable()); ok {
			add("linear-3", params, cond, confidence, n, cols[0], cols[1], cols[2])
		}
	}
}
