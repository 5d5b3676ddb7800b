package invariant

import (
	"math"
	"slices"
	"sync"

	"dsd/internal/expr"
	"dsd/schemas"
)

// DefaultConfidence is the confidence below which an invariant is left out, where nothing else is asked for.
const DefaultConfidence = 0.99

// Point learns the invariants of one program point. Samples gather in batches, which are looked at column by column; so its size does not depend
// on the number of samples. It is itself one of its Gatherers.
type Point struct {
	// Confidence is that below which an invariant is left out.
	Confidence float64

	decl    Declaration
	derived []derivation // how the last of decl.Vars are made
	kinds   []kind
	Gatherer
	isPart        bool // learns from a part of another's samples
	learning      sync.Mutex
	first         batch     // the first samples, until there are minRows
	samples, rows int64     // all of them, and the different ones
	columns       []*column // nil for variables that are equal to another that has one
	// sets are those of equal variables; only their leaders have a summary that goes on.
	sets []*eqset
	// pairs are those of leaders that are not both constant, and not dead.
	pairs  []*pair
	groups []string // by column: what it is comparable with, if anything
	// varies says, by column, that the variable is not constant: it had several values, or did not always exist.
	varies        []bool
	triples       *triples
	sequencePairs []*sequencePair
	emptinesses   []*emptiness
	views         []*column // while the point is asked what it has learned
	elementOrders []*elementOrder
	splits        []*splitter
}

// NewPoint begins a point without samples.
func NewPoint(decl schemas.TracePoint) *Point {
	d := Declaration{At: decl.At, Receiver: decl.Receiver, Conditions: decl.Conditions}
	for _, v := range decl.Vars {
		d.Vars = append(d.Vars, Variable{TraceVar: v})
	}
	return NewPointOf(d)
}

// A Declaration is that of a program point: where it is in a function, and its variables.
type Declaration struct {
	At       schemas.At // as schemas.Point has it
	Receiver string     // what it is called
	Vars     []Variable
	// Preceding asks for the elements before those at integer variables, too. Daikon has them; of the few samples that tests make of a function, they
	// tell by chance more than they mean.
	Preceding bool
	// Conditions are those by which an exit's samples are divided, over its variables.
	Conditions []string
}

// A Variable is one of a point.
type Variable struct {
	schemas.TraceVar
	// Exists is the condition on which a derived variable exists.
	Exists expr.Expr
	// Group names what the variable is comparable with, where its type does not tell.
	Group string
	// IndexGroup is that of the indices and the length of a sequence, if it has a Group.
	IndexGroup string
	// IsBool says that a number is 1 for true and 0 for false.
	IsBool bool
	// Address says that a reference is an address, which means the same in all samples.
	Address bool
}

// NewPointOf begins a point without samples.
func NewPointOf(decl Declaration) *Point {
	decl, derived := derive(decl)
	p := newPoint(decl)
	p.derived, p.splits = derived, splitters(decl)
	return p
}

// newPoint begins a point that does not look at parts of its samples.
func newPoint(decl Declaration) *Point {
	p := &Point{Confidence: DefaultConfidence, decl: decl}
	p.point = p
	for _, v := range decl.Vars {
		p.kinds = append(p.kinds, kinds[v.Rep])
	}
	return p
}

// begin makes room for what is learned. Many points are declared that no sample is of.
func (p *Point) initialize() {
	n := len(p.decl.Vars)
	p.varies, p.columns, p.groups = make([]bool, n), make([]*column, n), make([]string, n)
	byGroup, index := map[string]*eqset{}, indexName(p.decl)
	// What always exists leads the sets of what does not: only of that are triples kept.
	for _, always := range [...]bool{true, false} {
		for i, v := range p.decl.Vars {
			if (v.Exists == nil) != always {
				continue
			}
			g, ok := comparisonGroup(v)
			p.groups[i] = g
			// A reference is who it is among those of one sample: that it is always the same says nothing.
			p.varies[i] = p.kinds[i] == ref
			if s := byGroup[g]; ok && s != nil {
				s.members = append(s.members, i)
				continue
			}
			p.columns[i] = newColumn(v, index)
			s := &eqset{[]int{i}}
			if p.sets = append(p.sets, s); ok {
				byGroup[g] = s
			}
		}
	}
	if !p.isPart {
		p.triples = &triples{}
	}
	p.sequencePairs = newSequencePairs(p)
	p.emptinesses = newEmptinesses(p.decl)
	p.elementOrders = newElementOrders(p)
}

// indexName is a name for the index of elements that no variable has.
func indexName(decl Declaration) string {
	for _, name := range []string{"i", "j", "k", "l", "m"} {
		if !slices.ContainsFunc(decl.Vars, func(v Variable) bool { return v.Name == name }) {
			return name
		}
	}
	return "i_"
}

// take lets the point learn from a batch. The first samples wait until there are enough to look at triples: how many came in one batch is an
// accident, on which what is learned must not depend.
func (p *Point) accept(b *batch) {
	if p.rows > 0 || p.first.n == 0 && b.n >= minRows {
		p.learn(b)
		return
	}
	if p.first.appendBatch(b); p.first.n >= minRows {
		p.learnFirst()
	}
}

// settle learns from the first samples.
func (p *Point) learnFirst() {
	if p.first.n > 0 {
		p.learn(&p.first)
		p.first = batch{}
	}
}

// learn learns from a batch of samples.
func (p *Point) learn(b *batch) {
	if p.columns == nil {
		p.initialize()
	}
	var diverged map[*eqset]int
	old := p.varies
	p.sets, diverged = splitSets(p.sets, b)
	for _, s := range p.sets {
		if from, ok := diverged[s]; ok {
			p.diverge(from, s.members[0])
		}
	}
	p.varies = slices.Clone(old)
	for _, s := range p.sets {
		if i := s.members[0]; !p.varies[i] {
			p.varies[i] = p.columns[i].startsVarying(&b.columns[i], p.rows)
		}
	}
	var fresh []*triple
	if p.rows == 0 || diverged != nil || !slices.Equal(old, p.varies) {
		p.newPairs(old)
		fresh = p.triples.newTriples(p, b, old)
	}
	for _, s := range p.sets {
		i := s.members[0]
		p.columns[i].add(&b.columns[i], b)
	}
	alive := p.pairs[:0]
	for _, pr := range p.pairs {
		x, y := p.columns[pr.a], p.columns[pr.b]
		if pr.add(&b.columns[pr.a], &b.columns[pr.b], b, x.ordered() && y.ordered()); !pr.dead() && !pr.uninformative(x, y) {
			alive = append(alive, pr)
		}
	}
	clear(p.pairs[len(alive):])
	p.pairs = alive
	p.triples.learn(b, fresh)
	for _, t := range p.sequencePairs {
		t.add(b)
	}
	for _, e := range p.emptinesses {
		e.learn(b)
	}
	for _, e := range p.elementOrders {
		e.learn(b)
	}
	p.samples += b.samples
	p.rows += int64(b.n)
	for i, s := range p.splits {
		s.learn(b, p.splits[:i])
	}
}

// breaks says that a variable that was constant in all samples so far, if there were any, is not any more.
func (c *column) startsVarying(v *vector, rows int64) bool {
	first := v.code[0]
	if len(c.values) > 0 {
		first = c.values[0]
	}
	if len(v.missing) > 0 && slices.Contains(v.missing, true) && (c.n > 0 || slices.Contains(v.missing, false)) || c.missing > 0 && !(len(v.missing) > 0 && !slices.Contains(v.missing, false)) {
		return true
	}
	for _, x := range v.code {
		if x != first {
			return true
		}
	}
	return false
}

// separate makes a summary for a variable that was equal to a leader so far, and is not any more: all that was learned of the leader is
// true of it, too.
func (p *Point) diverge(leader, member int) {
	p.columns[member] = p.columns[leader].clone(p.decl.Vars[member])
	p.varies[member] = p.varies[leader]
	if p.rows == 0 {
		return
	}
	var more []*pair
	for _, pr := range p.pairs {
		if pr.a == leader || pr.b == leader {
			q := *pr
			if q.a == leader {
				q.a = member
			} else {
				q.b = member
			}
			if q.a > q.b {
				q.swapSides()
			}
			more = append(more, &q)
		}
	}
	p.pairs = append(p.pairs, more...)
	if p.varies[leader] {
		p.pairs = append(p.pairs, p.selfPair(leader, member))
	}
	p.triples.diverge(p, leader, member)
}

// turn changes the sides of a pair.
func (p *pair) swapSides() {
	p.a, p.b = p.b, p.a
	p.order = p.order&isEqual | p.order>>2&isLess | p.order<<2&isGreater
	var refuted uint16
	for bit := range 2 * len(relations) {
		refuted |= p.refuted >> bit & 1 << (bit ^ 1)
	}
	p.refuted = refuted
	l := &p.line
	l.x0, l.y0, l.x1, l.y1 = l.y0, l.x0, l.y1, l.x1
}

// reflexive is what the pair of a leader and a member of its set has seen: the same on both sides.
func (p *Point) selfPair(leader, member int) *pair {
	c := p.columns[leader]
	pr := newPair(min(leader, member), max(leader, member), c.integral())
	pr.text = c.kind == text
	pr.n, pr.rows, pr.equalNonNil = c.n, c.rows, c.nils < c.n
	if c.n > 0 {
		pr.order = isEqual
	}
	if !c.integral() {
		return pr
	}
	// Of a number and itself: which relations hold is told by the values, which are few where it matters.
	for bit := range 2 * len(relations) {
		r := &relations[bit/2]
		values := c.values
		if c.many {
			values = []int64{c.min, c.max, 0, 2}
			if c.nearZero&2 == 0 {
				values = values[:2]
			}
		}
		for _, x := range values {
			if !r.holds(x, x) {
				pr.refuted |= 1 << bit
			}
		}
	}
	if pr.line.add(c.min, c.min); c.max != c.min {
		pr.line.add(c.max, c.max)
	}
	return pr
}

// pair begins the pairs of leaders that were both constant and are not any more. old says which varied before the batch.
func (p *Point) newPairs(old []bool) {
	for i, s := range p.sets {
		for _, t := range p.sets[i+1:] {
			a, b := s.members[0], t.members[0]
			if a > b {
				a, b = b, a
			}
			if p.groups[a] == "" || p.groups[a] != p.groups[b] || p.rows > 0 && (old[a] || old[b]) || !p.varies[a] && !p.varies[b] {
				continue
			}
			x, y := p.columns[a], p.columns[b]
			pr := newPair(a, b, p.kinds[a] == integer && x.integral() && y.integral())
			pr.text = p.kinds[a] == text
			if p.rows > 0 && x.n > 0 && y.n > 0 { // what they were so far
				past := &batch{n: 1, counts: []int64{p.samples}, samples: p.samples}
				u, v := &vector{code: x.values[:1]}, &vector{code: y.values[:1]}
				if x.unrepresentable || y.unrepresentable {
					u.unrepresentable, v.unrepresentable = []bool{x.unrepresentable}, []bool{y.unrepresentable}
				}
				if x.unrepresentable || y.unrepresentable || pr.text {
					u.texts, v.texts = []string{x.texts[x.values[0]]}, []string{y.texts[y.values[0]]}
				}
				pr.add(u, v, past, x.ordered() && y.ordered())
				pr.rows = p.rows
			}
			p.pairs = append(p.pairs, pr)
		}
	}
}

// ambitious are the templates that check does not assume [DSD 6.4.2].
var ambitious = map[string]bool{"prefix": true, "suffix": true, "dynamic-type": true, "same-type": true, "same-elements": true, "sorted": true, "no-duplicates": true,
	"member": true, "subset": true, "subsequence": true, "reverse": true, "elementwise": true, "index": true, "element-bound": true,
	"element-one-of": true, "element-non-nil": true, "gcd": true, "same-object": true, "constant-sequence": true, "element-order": true,
	"string-order": true}

// Invariants returns what was learned, unary templates first, in the order of the variables; ids are left empty.
func (p *Point) Invariants() []schemas.Invariant {
	p.Flush()
	p.learnFirst()
	list := p.unconditional()
	for _, s := range p.splits {
		list = append(list, s.implications(p, list)...)
	}
	out := make([]schemas.Invariant, len(list))
	for i, inv := range list {
		out[i] = inv.Invariant
		out[i].Expr = inv.cond.String()
	}
	return out
}

// learned is an invariant and its condition, of which Expr will be the text.
type learned struct {
	schemas.Invariant
	cond expr.Expr
}

// adder takes in an instance of a template over any variables, of the samples in which all existed.
type adder func(template string, params []string, cond expr.Expr, confidence float64, samples int64, vars ...*column)

// own are the invariants of all samples together.
func (p *Point) unconditional() []learned {
	out := []learned{}
	if p.rows == 0 {
		return out
	}
	defer func() { p.views = nil }()
	add := func(template string, params []string, cond expr.Expr, confidence float64, samples int64, vars ...*column) {
		if confidence < p.Confidence || samples == 0 { // of what never existed there is nothing to tell
			return
		}
		inv := learned{schemas.Invariant{Template: template, Params: params, Samples: samples,
			Confidence: math.Floor(confidence*1e4) / 1e4, Assumed: !ambitious[template] && !slices.ContainsFunc(vars, (*column).isMapLookup), Vars: []string{}},
			p.guarded(cond, vars)}
		for _, c := range vars {
			inv.Vars = append(inv.Vars, c.v.Name)
		}
		out = append(out, inv)
	}
	emit := func(n int64) pairEmitter {
		return func(template string, a, b *column, params []string, cond expr.Expr, confidence float64) {
			add(template, params, cond, confidence, n, a, b)
		}
	}
	spoken := p.representatives()
	sets := map[int]*eqset{}
	for _, s := range p.sets {
		for _, m := range s.members {
			sets[m] = s
		}
	}
	for i := range p.columns {
		leader := sets[i].members[0]
		if p.entryOnly(i) || i != spoken[leader] && !p.columns[leader].determined() {
			continue // the entry's own business; the spokesman's
		}
		c := p.view(i)
		c.unary(p.Confidence, func(template string, params []string, cond expr.Expr, confidence float64) {
			add(template, params, cond, confidence, c.n, c)
		})
	}
	for i := range p.columns {
		s := sets[i]
		if s.members[0] != i {
			continue
		}
		p.emitEqualities(s, spoken[s.members[0]], emit)
	}
	told := slices.Clone(p.pairs)
	slices.SortFunc(told, func(a, b *pair) int {
		if a.a != b.a {
			return a.a - b.a
		}
		return a.b - b.b
	})
	for _, pr := range told {
		i, j := spoken[pr.a], spoken[pr.b]
		if p.entryOnly(i) && p.entryOnly(j) {
			continue
		}
		a, b := p.view(i), p.view(j)
		pr.emit(a, b, p.Confidence, emit(pr.n))
	}
	for _, t := range p.sequencePairs {
		if sets[t.a] == sets[t.b] || p.entryOnly(t.a) && p.entryOnly(t.b) {
			continue
		}
		x, y := p.view(t.a), p.view(t.b)
		if t.a == spoken[sets[t.a].members[0]] && t.b == spoken[sets[t.b].members[0]] {
			t.emit(p, x, y, emit(t.n))
		}
	}
	for _, e := range p.emptinesses {
		e.emit(p, add)
	}
	for _, e := range p.elementOrders {
		e.emit(p, add)
	}
	p.triples.emit(p, spoken, add)
	out = withoutImplied(out)
	if inv, ok := p.getter(); ok {
		out = append(out, inv)
	}
	return out
}

// entryOnly says that a variable is, at an exit, what another was at the entry.
func (p *Point) entryOnly(i int) bool {
	return p.decl.At == schemas.AtExit && isOldName(p.decl.Vars[i].Name)
}

// spokesmen are, by leader, the variable of its set that is named in what is told of it: one of now rather than one of the entry.
func (p *Point) representatives() map[int]int {
	out := map[int]int{}
	for _, s := range p.sets {
		best := s.members[0]
		for _, m := range s.members {
			if !p.entryOnly(m) {
				best = m
				break
			}
		}
		out[s.members[0]] = best
	}
	return out
}

// equalities tells of a set: what is as it was at the entry, and of the rest that it equals the set's spokesman.
func (p *Point) emitEqualities(s *eqset, spokesman int, emit func(int64) pairEmitter) {
	c := p.columns[s.members[0]]
	for _, m := range s.members {
		if m == spokesman {
			continue
		}
		a, b := p.view(spokesman), p.view(m)
		for _, o := range s.members {
			if now := p.view(o); isEntryValue(b, now) {
				a = now
			}
		}
		if c.n > 0 && !(p.entryOnly(m) && p.entryOnly(spokesman)) && !a.determined() {
			emitEqual(a, b, c.n, c.rows, emit(c.n))
		}
	}
}

// guard makes a condition on variables that did not always exist conditional on what they need to.
func (p *Point) guarded(cond expr.Expr, vars []*column) expr.Expr {
	var need []expr.Expr
	for _, c := range vars {
		switch {
		case c.missing == 0:
		case c.v.Exists != nil && c.v.Pointer == "":
			need = append(need, expr.Conjuncts(c.v.Exists)...)
		case c.v.Pointer == "" || !p.wasNil(c):
		case isOldName(c.v.Name):
			need = append(need, expr.Ne(&expr.Old{X: expr.Var(c.v.Pointer)}, expr.Nil))
		default:
			need = append(need, expr.Ne(expr.Var(c.v.Pointer), expr.Nil))
		}
	}
	if len(need) == 0 {
		return cond
	}
	return &expr.Implies{If: expr.And(slices.CompactFunc(need, expr.Equal)...), Then: cond}
}

// isOldName reports whether a variable is one of the function's entry.
func isOldName(name string) bool {
	_, old := expr.CutOld(name)
	return old
}

// wasNil says that a pointer on the way to a variable was nil at times; else the variable was missing where nobody looked.
func (p *Point) wasNil(c *column) bool {
	if c.v.Pointer == "" {
		return false
	}
	name := c.v.Pointer
	for try := range 2 {
		if try == 0 && isOldName(c.v.Name) {
			name = expr.OldName(name)
		}
		for i, v := range p.decl.Vars {
			if v.Name == name && kinds[v.Rep] != sequence {
				of := p.columns[p.leader(i)]
				return of.nils > 0 || p.wasNil(of)
			}
		}
		name = c.v.Pointer
	}
	return true
}

// view is the summary of a variable under its own name.
func (p *Point) view(i int) *column {
	if p.views == nil {
		p.views = make([]*column, len(p.columns))
	}
	if p.views[i] == nil {
		p.views[i] = p.columns[p.leader(i)].viewAs(p.decl.Vars[i])
	}
	return p.views[i]
}

// leader is the variable whose summary is that of a variable, too.
func (p *Point) leader(i int) int {
	for _, s := range p.sets {
		if slices.Contains(s.members, i) {
			return s.members[0]
		}
	}
	return i
}

// Samples is how many were taken in, by the point itself or by Gatherers that are flushed.
func (p *Point) Samples() int64 { return p.samples + p.first.samples + p.batch.samples }
