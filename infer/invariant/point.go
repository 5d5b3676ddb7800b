package invariant

import (
	"slices"
	"sync"

	"dsd/internal/expr"
	"dsd/schemas"
)

// DefaultConfidence is the default for Point.Confidence.
const DefaultConfidence = 0.99

// A Point learns the invariants of one program point. Its size does not depend on the number of
// samples. It is itself one of its Gatherers.
type Point struct {
	// Confidence is the confidence below which invariants are left out.
	Confidence float64

	decl    Declaration
	derived []derivation // of the last variables of decl.Vars
	kinds   []kind       // by column
	Gatherer
	isPart        bool       // the point learns from a part of another point's samples
	learning      sync.Mutex // serializes the Gatherers
	first         batch      // the samples until there are minRows
	samples, rows int64      // all samples and the different ones, without those of first

	// columns holds the summaries of variables. It is nil for a variable that is equal to its
	// leader.
	columns []*column
	// sets is the partition of the columns into equality sets. Only leaders are updated.
	sets []*eqset
	// pairs holds pairs of leaders, except those of two constants and those that are dead.
	pairs  []*pair
	groups []string // by column: see comparisonGroup
	// varies reports, by column, that a variable had several values or did not always exist.
	varies        []bool
	triples       *triples // nil in parts
	sequencePairs []*sequencePair
	emptinesses   []*emptiness
	elementOrders []*elementOrder
	splits        []*splitter
	views         []*column // by column: see view
}

// A Declaration declares a program point.
type Declaration struct {
	At       schemas.At // as in schemas.Point
	Receiver string     // the name of the receiver, or ""
	Vars     []Variable
	// Preceding adds the elements that precede those at integer variables: s[i-1]. Daikon has
	// them. With the few samples that tests make of a function, most of what they show is
	// coincidence.
	Preceding bool
	// Conditions are conditions over the variables, by which the samples of an exit are
	// divided.
	Conditions []string
}

// A Variable is a variable observed at a program point.
type Variable struct {
	schemas.TraceVar
	// Exists is the condition under which a derived variable exists; nil for one that always
	// exists.
	Exists expr.Expr
	// Group names the variables that this one is comparable with. If it is empty, the type
	// does.
	Group string
	// IndexGroup is the group of the indices and the length of a sequence that has a Group.
	IndexGroup string
	// IsBool reports that an integer is 1 for true and 0 for false.
	IsBool bool
	// Address reports that a reference is an address, which is comparable between samples.
	Address bool
}

// NewPoint returns a point without samples.
func NewPoint(decl schemas.TracePoint) *Point {
	d := Declaration{At: decl.At, Receiver: decl.Receiver, Conditions: decl.Conditions}
	for _, v := range decl.Vars {
		d.Vars = append(d.Vars, Variable{TraceVar: v})
	}
	return NewPointOf(d)
}

// NewPointOf returns a point without samples. Its variables are those of the declaration and those
// that are derived from them; samples have values of the former.
func NewPointOf(decl Declaration) *Point {
	decl, derived := derive(decl)
	p := newPoint(decl)
	p.derived, p.splits = derived, splitters(decl)
	return p
}

// newPoint returns a point that does not divide its samples.
func newPoint(decl Declaration) *Point {
	p := &Point{Confidence: DefaultConfidence, decl: decl}
	p.point = p
	for _, v := range decl.Vars {
		p.kinds = append(p.kinds, kindOf(v.Rep))
	}
	return p
}

// Samples returns the number of samples, including those of Gatherers that are flushed.
func (p *Point) Samples() int64 { return p.samples + p.first.samples + p.batch.samples }

// initialize allocates the summaries. It waits for the first sample, because many declared points
// have none.
func (p *Point) initialize() {
	n := len(p.decl.Vars)
	p.varies, p.columns, p.groups = make([]bool, n), make([]*column, n), make([]string, n)
	byGroup, index := map[string]*eqset{}, indexName(p.decl)
	// At first all comparable variables are one set. Variables that always exist come first, so
	// that they become the leaders: only leaders have triples, and a triple must always exist.
	for _, always := range [...]bool{true, false} {
		for i, v := range p.decl.Vars {
			if (v.Exists == nil) != always {
				continue
			}
			g, ok := comparisonGroup(v)
			p.groups[i] = g
			// References are numbered per sample, so a constant reference carries no
			// information.
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

// indexName returns a name for the index of elements that no variable of the point has.
func indexName(decl Declaration) string {
	for _, name := range []string{"i", "j", "k", "l", "m"} {
		if !slices.ContainsFunc(decl.Vars, func(v Variable) bool { return v.Name == name }) {
			return name
		}
	}
	return "i_"
}

// accept learns from a batch. The first samples are collected until there are minRows. Otherwise
// the start of the triples would depend on the size of the first batch.
func (p *Point) accept(b *batch) {
	if p.rows > 0 || p.first.n == 0 && b.n >= minRows {
		p.learn(b)
		return
	}
	if p.first.appendBatch(b); p.first.n >= minRows {
		p.learnFirst()
	}
}

// learnFirst learns from the collected first samples, if there are any.
func (p *Point) learnFirst() {
	if p.first.n > 0 {
		p.learn(&p.first)
		p.first = batch{}
	}
}

// learn learns from a batch: it splits the equality sets, begins the pairs and triples that became
// necessary, and updates all summaries.
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
			p.varies[i] = p.columns[i].startsVarying(&b.columns[i])
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
	p.learnPairs(b)
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

// learnPairs updates the pairs and drops those from which nothing can be emitted any more.
func (p *Point) learnPairs(b *batch) {
	alive := p.pairs[:0]
	for _, pr := range p.pairs {
		x, y := p.columns[pr.a], p.columns[pr.b]
		pr.add(&b.columns[pr.a], &b.columns[pr.b], b, x.ordered() && y.ordered())
		if !pr.dead() && !pr.uninformative(x, y) {
			alive = append(alive, pr)
		}
	}
	clear(p.pairs[len(alive):])
	p.pairs = alive
}

// diverge gives a summary to a variable that was equal to its leader in all samples so far. All
// that the leader's summaries have learned holds for it, too.
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

// selfPair returns the pair of a leader and a member that was equal to it in all samples so far.
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
	// The relations are checked for each value with itself. If there were too many values to
	// keep, the extremes stand for them, and 0 and 2 if 0 occurred.
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

// newPairs begins the pairs of leaders of which both were constant and one is not any more. old
// holds varies from before the batch.
func (p *Point) newPairs(old []bool) {
	for i, s := range p.sets {
		for _, t := range p.sets[i+1:] {
			a, b := s.members[0], t.members[0]
			if a > b {
				a, b = b, a
			}
			switch {
			case p.groups[a] == "" || p.groups[a] != p.groups[b]:
				continue // not comparable
			case p.rows > 0 && (old[a] || old[b]):
				continue // they have a pair, or had one that is dead
			case !p.varies[a] && !p.varies[b]:
				continue // still constant
			}
			x, y := p.columns[a], p.columns[b]
			pr := newPair(a, b, p.kinds[a] == integer && x.integral() && y.integral())
			pr.text = p.kinds[a] == text
			if p.rows > 0 && x.n > 0 && y.n > 0 {
				p.addConstantPast(pr, x, y)
			}
			p.pairs = append(p.pairs, pr)
		}
	}
}

// addConstantPast adds to a new pair the single sample that x and y had while both were constant.
func (p *Point) addConstantPast(pr *pair, x, y *column) {
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

// leader returns the leader of a variable's equality set.
func (p *Point) leader(i int) int {
	for _, s := range p.sets {
		if slices.Contains(s.members, i) {
			return s.members[0]
		}
	}
	return i
}
