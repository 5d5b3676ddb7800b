package invariant

import (
	"cmp"
	"math"
	"slices"

	"dsd/internal/expr"
	"dsd/schemas"
)

// ambitious is the set of templates that check does not assume [DSD 6.4.2].
var ambitious = map[string]bool{
	"constant-sequence": true,
	"dynamic-type":      true,
	"element-bound":     true,
	"element-non-nil":   true,
	"element-one-of":    true,
	"element-order":     true,
	"elementwise":       true,
	"gcd":               true,
	"index":             true,
	"member":            true,
	"no-duplicates":     true,
	"prefix":            true,
	"reverse":           true,
	"same-elements":     true,
	"same-object":       true,
	"same-type":         true,
	"sorted":            true,
	"string-order":      true,
	"subsequence":       true,
	"subset":            true,
	"suffix":            true,
}

// learned is an invariant without its Expr, which is the text of cond.
type learned struct {
	schemas.Invariant
	cond expr.Expr
}

// adder receives an instance of a template over any number of variables. samples counts the samples
// in which all of them existed.
type adder func(template string, params []string, cond expr.Expr, confidence float64,
	samples int64, vars ...*column)

// Invariants returns the invariants of all samples, unary templates first and in the order of the
// variables, followed by the implications. It sets no IDs. It may be called between samples, but
// not while a Gatherer is in use.
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
	}
	return out
}

// unconditional returns the invariants of all samples together, without implications.
func (p *Point) unconditional() []learned {
	if p.rows == 0 {
		return []learned{}
	}
	defer func() { p.views = nil }()
	r := &reporter{Point: p, out: []learned{}, reps: p.representatives()}
	r.setOf = map[int]*eqset{}
	for _, s := range p.sets {
		for _, m := range s.members {
			r.setOf[m] = s
		}
	}
	r.unary()
	r.equalities()
	r.pairInvariants()
	r.sequencePairInvariants()
	for _, e := range p.emptinesses {
		e.emit(p, r.add)
	}
	for _, e := range p.elementOrders {
		e.emit(p, r.add)
	}
	p.triples.emit(p, r.reps, r.add)
	out := withoutImplied(r.out)
	if inv, ok := p.unchangedReceiver(); ok {
		out = append(out, inv)
	}
	return out
}

// reporter collects the invariants of a point. Of each equality set, it reports one representative,
// and that the other members equal it.
type reporter struct {
	*Point
	out   []learned
	reps  map[int]int    // by leader: the representative
	setOf map[int]*eqset // by column
}

// add appends an instance of a template, unless its confidence is too low.
func (r *reporter) add(template string, params []string, cond expr.Expr, confidence float64,
	samples int64, vars ...*column) {
	if confidence < r.Confidence || samples == 0 {
		return
	}
	assumed := !ambitious[template] && !slices.ContainsFunc(vars, (*column).isMapLookup)
	cond = r.guarded(cond, vars)
	inv := learned{schemas.Invariant{
		Template:   template,
		Vars:       make([]string, len(vars)),
		Params:     params,
		Expr:       cond.String(),
		Samples:    samples,
		Confidence: roundDown(confidence),
		Assumed:    assumed,
	}, cond}
	for i, c := range vars {
		inv.Vars[i] = c.v.Name
	}
	r.out = append(r.out, inv)
}

// roundDown rounds a confidence down to four decimal places.
func roundDown(confidence float64) float64 { return math.Floor(confidence*1e4) / 1e4 }

// addPairs returns an emitter that adds instances which hold in n samples.
func (r *reporter) addPairs(n int64) pairEmitter {
	return func(template string, a, b *column, params []string, cond expr.Expr,
		confidence float64) {
		r.add(template, params, cond, confidence, n, a, b)
	}
}

// unary reports on single variables. At an exit, it leaves out variables of the entry, which the
// entry reports.
func (r *reporter) unary() {
	for i := range r.columns {
		leader := r.setOf[i].members[0]
		if r.entryOnly(i) || i != r.reps[leader] && !r.columns[leader].determined() {
			continue
		}
		c := r.view(i)
		emit := func(template string, params []string, cond expr.Expr, confidence float64) {
			r.add(template, params, cond, confidence, c.n, c)
		}
		c.emitUnary(r.Confidence, emit)
	}
}

// equalities reports the equality sets, by ascending leader: which variables are unchanged since
// the entry, and which others equal the representative.
func (r *reporter) equalities() {
	for i := range r.columns {
		s := r.setOf[i]
		if s.members[0] != i {
			continue
		}
		c, rep := r.columns[i], r.reps[i]
		for _, m := range s.members {
			if m == rep {
				continue
			}
			a, b := r.view(rep), r.view(m)
			for _, o := range s.members {
				if now := r.view(o); isEntryValue(b, now) {
					a = now
				}
			}
			if c.n > 0 && !(r.entryOnly(m) && r.entryOnly(rep)) && !a.determined() {
				emitEqual(a, b, c.n, c.rows, r.addPairs(c.n))
			}
		}
	}
}

// pairInvariants reports on pairs, ordered by their leaders.
func (r *reporter) pairInvariants() {
	sorted := slices.Clone(r.pairs)
	slices.SortFunc(sorted, func(a, b *pair) int {
		return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
	})
	for _, pr := range sorted {
		i, j := r.reps[pr.a], r.reps[pr.b]
		if !r.entryOnly(i) || !r.entryOnly(j) {
			pr.emit(r.view(i), r.view(j), r.Confidence, r.addPairs(pr.n))
		}
	}
}

// sequencePairInvariants reports on pairs with a sequence. They have summaries for all variables,
// but only those of two representatives are reported.
func (r *reporter) sequencePairInvariants() {
	isRep := func(i int) bool { return i == r.reps[r.setOf[i].members[0]] }
	for _, t := range r.sequencePairs {
		if r.setOf[t.a] == r.setOf[t.b] || r.entryOnly(t.a) && r.entryOnly(t.b) {
			continue
		}
		if isRep(t.a) && isRep(t.b) {
			t.emit(r.view(t.a), r.view(t.b), r.addPairs(t.n))
		}
	}
}

// entryOnly reports whether a variable of an exit holds a value of the entry.
func (p *Point) entryOnly(i int) bool {
	return p.decl.At == schemas.AtExit && isOldName(p.decl.Vars[i].Name)
}

// isOldName reports whether a variable holds a value of the function's entry.
func isOldName(name string) bool {
	_, old := expr.CutOld(name)
	return old
}

// representatives returns, by leader, the variable that stands for its equality set in a document:
// the first one that does not hold a value of the entry, or else the leader.
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

// view returns the summary of a variable under its own name. Views are cached until unconditional
// returns.
func (p *Point) view(i int) *column {
	if p.leader(i) == i {
		return p.columns[i]
	}
	if p.views == nil {
		p.views = make([]*column, len(p.columns))
	}
	if p.views[i] == nil {
		p.views[i] = p.columns[p.leader(i)].viewAs(p.decl.Vars[i])
	}
	return p.views[i]
}

// guarded returns cond under the conditions on which those variables exist that did not always
// exist: the index of an element is within bounds, a pointer on the path is not nil.
func (p *Point) guarded(cond expr.Expr, vars []*column) expr.Expr {
	var guards []expr.Expr
	for _, c := range vars {
		switch {
		case c.missing == 0:
		case c.v.Exists != nil && c.v.Pointer == "":
			guards = append(guards, expr.Conjuncts(c.v.Exists)...)
		case c.v.Pointer == "" || !p.wasNil(c):
		case isOldName(c.v.Name):
			guards = append(guards, expr.Ne(&expr.Old{X: variableNamed(c.v.Pointer)}, expr.Nil))
		default:
			guards = append(guards, expr.Ne(variableNamed(c.v.Pointer), expr.Nil))
		}
	}
	if len(guards) == 0 {
		return cond
	}
	return &expr.Implies{If: expr.And(slices.CompactFunc(guards, expr.Equal)...), Then: cond}
}

// wasNil reports whether a pointer on the path to a variable was nil in some sample. If not, the
// variable was missing because the trace did not follow the path. A pointer that is not declared
// counts as nil.
func (p *Point) wasNil(c *column) bool {
	if c.v.Pointer == "" {
		return false
	}
	names := []string{c.v.Pointer}
	if isOldName(c.v.Name) { // prefer the pointer at the entry
		names = []string{expr.OldName(c.v.Pointer), c.v.Pointer}
	}
	for _, name := range names {
		for i, v := range p.decl.Vars {
			if v.Name == name && kindOf(v.Rep) != sequence {
				of := p.columns[p.leader(i)]
				return of.nils > 0 || p.wasNil(of)
			}
		}
	}
	return true
}
