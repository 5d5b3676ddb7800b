package invariant

import (
	"slices"

	"dsd/internal/expr"
)

// triples holds the summaries of the triples of integer variables of a point.
type triples struct {
	list []*triple
}

// triple is the summary of three comparable variables that always existed, at least one of which
// was not constant. Variables that did not always exist have no triples: the evidence would come
// from samples in which not all three existed.
type triple struct {
	at [3]int // columns, ascending
	// alive is the set of functions that no sample contradicted. Bit 3*f+r stands for
	// functions[f] with at[r] as its result.
	alive uint32
	plane plane
}

// function is a template z == f(x, y) with a commutative f.
type function struct {
	name string
	of   func(x, y int64) int64
	cond func(x, y expr.Expr) expr.Expr // f(x, y)
}

func call(name string) func(x, y expr.Expr) expr.Expr {
	return func(x, y expr.Expr) expr.Expr { return expr.Apply(name, x, y) }
}

func infix(op string) func(x, y expr.Expr) expr.Expr {
	return func(x, y expr.Expr) expr.Expr { return expr.Op(op, x, y) }
}

// functions lists the functions of the template.
var functions = []function{
	{"min", func(x, y int64) int64 { return min(x, y) }, call("min")},
	{"max", func(x, y int64) int64 { return max(x, y) }, call("max")},
	{"and", func(x, y int64) int64 { return x & y }, infix("&")},
	{"or", func(x, y int64) int64 { return x | y }, infix("|")},
	{"xor", func(x, y int64) int64 { return x ^ y }, infix("^")},
	{"gcd", gcdOf, call("gcd")},
	{"product", func(x, y int64) int64 { return x * y }, infix("*")},
}

// gcdOf returns the greatest common divisor of |x| and |y|.
func gcdOf(x, y int64) int64 { return int64(gcd(distance(x, 0), distance(y, 0))) }

// allFunctions is the value of triple.alive before the first sample.
var allFunctions = uint32(1<<(3*len(functions)) - 1)

// minRows is the number of different samples below which no triples are begun. Fewer samples
// justify none.
const minRows = 8

// allowsTriples reports whether a variable may be part of a triple: a comparable integer that
// always exists by its declaration.
func (p *Point) allowsTriples(i int) bool {
	return p.kinds[i] == integer && p.groups[i] != "" && p.decl.Vars[i].Exists == nil
}

// dead reports whether every template is refuted.
func (tr *triple) dead() bool { return tr.alive == 0 && tr.plane.refuted }

// learn updates the triples with a batch. Then it adds the triples fresh, which have learned from
// the batch already.
func (t *triples) learn(b *batch, fresh []*triple) {
	if t == nil {
		return
	}
	alive := t.list[:0]
	for _, tr := range t.list {
		if tr.add(b); !tr.dead() {
			alive = append(alive, tr)
		}
	}
	clear(t.list[len(alive):])
	t.list = append(alive, fresh...)
}

// newTriples returns the triples of leaders that were all constant before the batch b and are not
// any more, as far as b does not refute them. old holds Point.varies from before the batch.
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
					wasVarying := old[x] || old[y] || old[z]
					if wasVarying || !p.varies[x] && !p.varies[y] && !p.varies[z] {
						continue
					}
					tr := triple{at: [3]int{x, y, z}, alive: allFunctions}
					tr.addConstantPast(p)
					if tr.add(b); !tr.dead() {
						keep := tr // allocated for survivors only
						fresh = append(fresh, &keep)
					}
				}
			}
		}
	}
	return fresh
}

// addConstantPast adds the single sample that the variables had while all were constant.
func (tr *triple) addConstantPast(p *Point) {
	x, y, z := p.columns[tr.at[0]], p.columns[tr.at[1]], p.columns[tr.at[2]]
	if p.rows > 0 {
		tr.addSample(x.values[0], y.values[0], z.values[0])
	}
}

// add updates the triple with a batch. A value that is missing or does not fit in an int64 refutes
// everything.
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

// addSample updates the triple with one sample.
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

// diverge adds the triples of a member that was equal to its leader so far. The triples of the
// leader with two others are copied. Those of leader, member and a third variable follow from the
// pair of the leader and the third.
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
		third := s.members[0]
		if third == leader || third == member || p.columns[third] == nil {
			continue // a third without a summary diverges later and gets its triples then
		}
		if !p.allowsTriples(third) || p.groups[third] != p.groups[leader] {
			continue
		}
		if !p.varies[leader] && !p.varies[third] {
			continue
		}
		if tr := p.seedFromPair(leader, member, third); !tr.dead() {
			more = append(more, tr)
		}
	}
	t.list = append(t.list, more...)
}

// sort puts the columns of a triple in ascending order.
func (tr *triple) sort() {
	for _, k := range [][2]int{{0, 1}, {1, 2}, {0, 1}} {
		i, j := k[0], k[1]
		if tr.at[i] <= tr.at[j] {
			continue
		}
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

// seedFromPair returns the triple of leader and member, which had the same value x in every sample,
// and a third variable z. What the triple would have learned follows from the pair of x and z.
func (p *Point) seedFromPair(leader, member, third int) *triple {
	tr := &triple{at: [3]int{leader, member, third}}
	x, z := p.columns[leader], p.columns[third]
	tr.plane.refuted = true
	if !x.alwaysIntegral() || !z.alwaysIntegral() {
		return tr
	}
	known := p.findPair(leader, third)
	if known == nil {
		return tr
	}
	q := *known
	if q.a != leader {
		q.swapSides()
	}
	tr.seedFunctions(&q, z.constant() && z.values[0] == 0)
	tr.seedPlane(&q.line, x, z)
	tr.sort()
	return tr
}

// seedFunctions sets alive for the samples (x, x, z), given the pair q of x and z. zero reports
// whether z was always 0. The result z of a function is f(x, x):
//
//	min(x, x) == z, max(x, x) == z, x&x == z, x|x == z   if x == z
//	x^x == z                                             if z == 0
//	gcd(x, x) == z                                       if gcd-of(x, z)
//	x*x == z                                             if square(x, z)
//
// The result x of a function is f(x, z):
//
//	min(x, z) == x         if x <= z
//	max(x, z) == x         if x >= z
//	x&z == x               if bit-subset(x, z)
//	x|z == x               if bit-subset(z, x)
//	x^z == x               if z == 0
//	gcd(x, z) == x         if gcd-with(x, z)
//	x*z == x               if product-with(x, z)
func (tr *triple) seedFunctions(q *pair, zero bool) {
	set := func(name string, result int, ok bool) {
		for f := range functions {
			if functions[f].name == name && ok {
				tr.alive |= 1 << (3*f + result)
			}
		}
	}
	// related reports whether a relation held: from x to z for direction 0, from z to x for 1.
	related := func(name string, direction int) bool {
		for k := range relations {
			if relations[k].name == name {
				return q.refuted&(1<<(2*k+direction)) == 0
			}
		}
		return false
	}
	for _, name := range []string{"min", "max", "and", "or"} {
		set(name, 2, q.order == isEqual)
	}
	set("xor", 2, zero)
	set("gcd", 2, related("gcd-of", 0))
	set("product", 2, related("square", 0))
	for r := range 2 {
		set("min", r, q.order&isGreater == 0)
		set("max", r, q.order&isLess == 0)
		set("and", r, related("bit-subset", 0))
		set("or", r, related("bit-subset", 1))
		set("xor", r, zero)
		set("gcd", r, related("gcd-with", 0))
		set("product", r, related("product-with", 0))
	}
}

// seedPlane begins the plane for the samples (x, x, z), given the line of x and z. The samples lie
// in a plane with others only if they lie on a line. If x or z is constant, the line is vertical or
// horizontal, and the extremes define it.
func (tr *triple) seedPlane(l *line, x, z *column) {
	points := [][2]int64{{l.x0, l.y0}, {l.x1, l.y1}}[:l.points]
	if x.constant() || z.constant() {
		points = [][2]int64{{x.min, z.min}, {x.max, z.max}}
	}
	tr.plane.refuted = l.refuted && !x.constant() && !z.constant()
	if tr.plane.refuted {
		return
	}
	for _, at := range points {
		tr.plane.add([3]int64{at[0], at[0], at[1]})
	}
	for _, extreme := range []int64{x.min, x.max, z.min, z.max} {
		if extreme > maxPlaneValue || extreme < -maxPlaneValue {
			tr.plane.refuted = true
		}
	}
}

// findPair returns the pair of two leaders, in either order, or nil if it is not kept.
func (p *Point) findPair(i, j int) *pair {
	a, b := min(i, j), max(i, j)
	for _, pr := range p.pairs {
		if pr.a == a && pr.b == b {
			return pr
		}
	}
	return nil
}

// pairOrder returns the orders of two leaders that were seen. It is isAny if their pair is not
// kept.
func (p *Point) pairOrder(i, j int) uint8 {
	pr := p.findPair(i, j)
	switch {
	case pr == nil:
		return isAny
	case pr.a == i:
		return pr.order
	}
	q := *pr
	q.swapSides()
	return q.order
}

// emit emits the instances of the templates over three variables. reps maps a leader to the
// variable that represents its equality set.
func (t *triples) emit(p *Point, reps map[int]int, add adder) {
	if t == nil {
		return
	}
	slices.SortFunc(t.list, func(a, b *triple) int { return slices.Compare(a.at[:], b.at[:]) })
	for _, tr := range t.list {
		var cols [3]*column
		entryOnly := true
		for k, i := range tr.at {
			cols[k] = p.view(reps[i])
			entryOnly = entryOnly && p.entryOnly(reps[i])
		}
		x, y, z := cols[0], cols[1], cols[2]
		if entryOnly || !x.alwaysIntegral() || !y.alwaysIntegral() || !z.alwaysIntegral() {
			continue
		}
		confidence := equationConfidence(x, y, z)
		n := min(x.n, y.n, z.n)
		tr.emitFunctions(p, cols, confidence, n, add)
		if cond, params, ok := tr.plane.cond(x.variable(), y.variable(), z.variable()); ok {
			add("linear-3", params, cond, confidence, n, x, y, z)
		}
	}
}

// emitFunctions emits the functions that no sample contradicted. It leaves out a function whose
// result always equaled an argument, and min and max of arguments in a fixed order: the order and
// an equality state the same.
func (tr *triple) emitFunctions(p *Point, cols [3]*column, confidence float64, n int64, add adder) {
	for f := range functions {
		for r := range 3 {
			if tr.alive&(1<<(3*f+r)) == 0 {
				continue
			}
			i, j := (r+1)%3, (r+2)%3 // the arguments
			if p.pairOrder(tr.at[r], tr.at[i]) == isEqual ||
				p.pairOrder(tr.at[r], tr.at[j]) == isEqual {
				continue
			}
			between := p.pairOrder(tr.at[i], tr.at[j])
			isMinOrMax := functions[f].name == "min" || functions[f].name == "max"
			if !isMinOrMax || between&isLess != 0 && between&isGreater != 0 {
				a, b, c := cols[i], cols[j], cols[r]
				cond := expr.Eq(c.variable(), functions[f].cond(a.variable(), b.variable()))
				add(functions[f].name, nil, cond, confidence, n, c, a, b)
			}
		}
	}
}
