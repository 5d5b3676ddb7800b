package invariant

import (
	"math"
	"strings"

	"dsd/internal/expr"
)

// Bits of pair.order.
const (
	isLess = 1 << iota
	isEqual
	isGreater
	isAny = isLess | isEqual | isGreater
)

// pair is the summary of two comparable variables, at least one of which was not constant.
type pair struct {
	a, b int // columns
	// n counts the samples, rows the different ones, in which both existed.
	n, rows int64
	// order holds which of a < b, a == b and a > b were seen. For values without an order,
	// isGreater means that they differed.
	order uint8
	// refuted is the set of relations that a sample contradicted, two bits each: a with b, then
	// b with a.
	refuted uint16
	line    line
	// equalNonNil is set once both were equal and not nil.
	equalNonNil bool
	text        bool // the variables are strings; the order of their codes is arbitrary
}

// relation is a template over two integers, which is tried in both directions.
type relation struct {
	name string
	// holds reports whether a sample agrees with the template.
	holds func(x, y int64) bool
	// cond returns the condition. It is nil for a relation that is not emitted: seedFromPair
	// needs it when an equality set splits.
	cond func(x, y expr.Expr) expr.Expr
}

// relations lists the templates over two integers besides order and lines.
var relations = []relation{
	{"divides", func(x, y int64) bool { return x != 0 && y%x == 0 },
		func(x, y expr.Expr) expr.Expr { return expr.Eq(expr.Op("%", y, x), expr.Zero) }},
	{"square", func(x, y int64) bool { return distance(x, 0) < 1<<31 && y == x*x },
		func(x, y expr.Expr) expr.Expr { return expr.Eq(y, expr.Op("*", x, x)) }},
	{"bit-subset", func(x, y int64) bool { return x&^y == 0 },
		func(x, y expr.Expr) expr.Expr { return expr.Eq(expr.Op("&^", x, y), expr.Zero) }},
	{"gcd-with", func(x, y int64) bool { return gcdOf(x, y) == x }, nil},
	{"gcd-of", func(x, y int64) bool { return gcdOf(x, x) == y }, nil},
	{"product-with", func(x, y int64) bool { return x*y == x }, nil},
}

// allRefuted is the value of pair.refuted when no relation is left.
var allRefuted = uint16(1<<(2*len(relations)) - 1)

// comparisonGroup returns the name of the variables that v is comparable with: those of the same
// type and representation, or of the same declared group. ok is false if v is compared with no
// other.
func comparisonGroup(v Variable) (group string, ok bool) {
	if v.Group != "" {
		return string(v.Rep) + " " + v.Group, true
	}
	switch k := kindOf(v.Rep); {
	case k == integer, k == text, k == float, k == sequence, k == dynamic,
		k == ref && strings.HasPrefix(v.Type, "*"):
		return string(v.Rep) + " " + v.Type, true
	case k == boolean: // only with its own value at the entry
		name, _ := expr.CutOld(v.Name)
		return string(v.Rep) + " " + name, true
	}
	return "", false
}

// newPair returns an empty summary. Only pairs of integers have lines and relations.
func newPair(a, b int, integers bool) *pair {
	p := &pair{a: a, b: b}
	if !integers {
		p.refuted, p.line.refuted = allRefuted, true
	}
	return p
}

// dead reports whether every template is refuted.
func (p *pair) dead() bool {
	return p.order == isAny && p.refuted == allRefuted && p.line.refuted
}

// uninformative reports whether nothing can be emitted for x and y, because they have no order and
// differed. That they always differ is emitted only for references that were never nil.
func (p *pair) uninformative(x, y *column) bool {
	return p.order&^isEqual != 0 && !p.text && !(x.ordered() && y.ordered()) &&
		!(x.kind == ref && x.nils == 0 && y.nils == 0)
}

// add updates the summary with the values x and y of the batch b. ordered reports whether both
// variables have an order.
func (p *pair) add(x, y *vector, b *batch, ordered bool) {
	complete := x.complete() && y.complete()
	if complete {
		p.n += b.samples
		p.rows += int64(b.n)
	} else {
		for i, n := range b.counts {
			if x.present(i) && y.present(i) {
				p.n += n
				p.rows++
			}
		}
	}
	unrepresentable := len(x.unrepresentable) > 0 || len(y.unrepresentable) > 0
	if unrepresentable || !ordered {
		p.refuted, p.line.refuted = allRefuted, true
		if p.text {
			p.compareTexts(x, y)
		} else {
			p.compareUnordered(x, y, unrepresentable)
		}
		return
	}
	if p.order != isAny {
		p.compare(x.code, y.code, x, y, complete)
	}
	if p.refuted != allRefuted {
		p.refuteRelations(x, y)
	}
	if !p.line.refuted {
		for i, u := range x.code {
			if x.present(i) && y.present(i) {
				if p.line.add(u, y.code[i]); p.line.refuted {
					break
				}
			}
		}
	}
}

// compare updates the order of numbers.
func (p *pair) compare(xs, ys []int64, x, y *vector, complete bool) {
	order := p.order
	ys = ys[:len(xs)]
	for i, u := range xs {
		v := ys[i]
		if !complete && !(x.present(i) && y.present(i)) {
			continue
		}
		switch {
		case u < v:
			order |= isLess
		case u == v:
			order |= isEqual
		default:
			order |= isGreater
		}
	}
	p.order = order
}

// compareTexts updates the order of strings. Different strings have no known order if the trace has
// only the hash of one.
func (p *pair) compareTexts(x, y *vector) {
	for i, u := range x.code {
		switch {
		case p.order == isAny:
			return
		case !x.present(i) || !y.present(i):
		case u == y.code[i]:
			p.order |= isEqual
			p.equalNonNil = true
		case x.isUnrepresentable(i) || y.isUnrepresentable(i) ||
			i >= len(x.texts) || i >= len(y.texts):
			p.order = isAny
		default:
			p.order |= textOrder(x.texts[i], y.texts[i])
		}
	}
}

// compareUnordered updates whether two variables were equal or differed.
func (p *pair) compareUnordered(x, y *vector, unrepresentable bool) {
	if p.order == isAny {
		return
	}
	ys := y.code[:len(x.code)]
	if unrepresentable || !x.complete() || !y.complete() {
		for i, u := range x.code {
			switch {
			case !x.present(i) || !y.present(i):
			case u == ys[i] && !(unrepresentable && x.isNaN(i)):
				p.order |= isEqual
				p.equalNonNil = p.equalNonNil || u != 0
			default:
				p.order |= isGreater
			}
		}
	} else {
		for i, u := range x.code {
			if u == ys[i] {
				p.order |= isEqual
				p.equalNonNil = p.equalNonNil || u != 0
			} else {
				p.order |= isGreater
			}
		}
	}
	if p.order&isEqual != 0 && p.order != isEqual {
		p.order = isAny
	}
}

// refuteRelations refutes the relations that a sample contradicts.
func (p *pair) refuteRelations(x, y *vector) {
	for bit := range 2 * len(relations) {
		if p.refuted&(1<<bit) != 0 {
			continue
		}
		r, xs, ys := &relations[bit/2], x.code, y.code
		if bit%2 == 1 {
			xs, ys = ys, xs
		}
		for i, u := range xs {
			if !x.present(i) || !y.present(i) {
				continue
			}
			if !r.holds(u, ys[i]) {
				p.refuted |= 1 << bit
				break
			}
		}
	}
}

// swapSides exchanges a and b.
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

// pairEmitter receives an instance of a template over two variables.
type pairEmitter func(template string, a, b *column, params []string, cond expr.Expr,
	confidence float64)

// emit emits the instances for the views a and b of the pair. A line with a confidence of at least
// least suppresses the other templates, which may hold for that reason alone. Two constants imply
// every template, so nothing is emitted for them.
func (p *pair) emit(a, b *column, least float64, emit pairEmitter) {
	if p.n == 0 || a.constant() && b.constant() {
		return
	}
	cond := func(op string, x, y *column) expr.Expr {
		return expr.Op(op, x.variable(), y.variable())
	}
	if p.order == isEqual {
		if (a.kind == ref || a.kind == dynamic) && !p.equalNonNil {
			return // that two nils are equal carries no information
		}
		emitEqual(a, b, p.n, p.rows, emit)
		return
	}
	if p.text {
		if op, ok := orderSigns[p.order]; ok {
			confidence := relationConfidence(0.5, a, b)
			emit("string-order", a, b, []string{op}, cond(op, a, b), confidence)
		}
		if p.order == isLess|isGreater { // strings differ by chance, so the confidence is 0
			emit("string-order", a, b, []string{"!="}, cond("!=", a, b), 0)
		}
		return
	}
	if a.kind == sequence {
		return
	}
	if !a.ordered() || !b.ordered() {
		if p.order&isEqual == 0 && a.kind == ref && a.nils == 0 && b.nils == 0 {
			emit("not-equal", a, b, nil, cond("!=", a, b), confidenceOf(0.5, p.n))
		}
		return
	}
	if p.emitLinear(a, b, least, emit) {
		return
	}
	p.emitRelations(a, b, emit)
	// Disjoint ranges of which one is a constant imply the order: x == 3 and y >= 7.
	if (a.max < b.min || b.max < a.min) && (a.constant() || b.constant()) {
		return
	}
	switch p.order {
	case isLess:
		emit("less", a, b, nil, cond("<", a, b), confidenceOf(0.5, p.rows))
	case isGreater:
		emit("less", b, a, nil, cond("<", b, a), confidenceOf(0.5, p.rows))
	case isLess | isEqual:
		emit("less-equal", a, b, nil, cond("<=", a, b), confidenceOf(0.5, p.rows))
	case isGreater | isEqual:
		emit("less-equal", b, a, nil, cond("<=", b, a), confidenceOf(0.5, p.rows))
	case isLess | isGreater:
		// Two values of a range of r numbers differ by chance with probability 1 - 1/r.
		if a.kind == integer || a.kind == float {
			r := math.Max(float64(max(a.max, b.max))-float64(min(a.min, b.min))+1, 1)
			emit("not-equal", a, b, nil, cond("!=", a, b), confidenceOf(1-1/r, p.rows))
		}
	}
}

// emitEqual emits the equality of a and b in n samples, rows of which differ.
func emitEqual(a, b *column, n, rows int64, emit pairEmitter) {
	switch {
	case a.kind == sequence:
		// A single list of numbers is emitted as constant-sequence instead.
		if all := a.sequence.all; len(a.values) > 1 || all.kind == ref && all.nils < all.n {
			cond := expr.Apply("slices.Equal", a.variable(), b.variable())
			emit("same-elements", a, b, nil, cond, confidenceOf(0.5, n))
		}
	case isEntryValue(a, b):
		emit("unchanged", b, a, nil, expr.Eq(b.variable(), a.variable()), confidenceOf(0.5, n))
	case isEntryValue(b, a):
		emit("unchanged", a, b, nil, expr.Eq(a.variable(), b.variable()), confidenceOf(0.5, n))
	case a.kind == dynamic:
		if a.nils == 0 && len(a.values) > 1 {
			cond := expr.Eq(expr.Apply("typeof", a.variable()), expr.Apply("typeof", b.variable()))
			emit("same-type", a, b, nil, cond, confidenceOf(0.5, n))
		}
	case a.determined():
	default:
		if len(a.values) < 2 { // repetitions of one pair of values are no evidence
			n = rows
		}
		cond := expr.Eq(a.variable(), b.variable())
		emit("equal", a, b, nil, cond, a.equalityConfidence(n+1))
	}
}

// isEntryValue reports whether a is the value of b at the entry.
func isEntryValue(a, b *column) bool { return a.v.Name == expr.OldName(b.v.Name) }

// relationConfidence returns the confidence of a relation between numbers. Each of the k different
// values that every variable had, except two, would have contradicted the relation with probability
// 1-p:
//
//	1 - p^(k-2)
func relationConfidence(p float64, cols ...*column) float64 {
	n := maxDistinct
	for _, c := range cols {
		n = min(n, len(c.values))
	}
	return confidenceOf(p, int64(n)-2)
}

// equationConfidence returns the confidence of an equation. Of a range of r numbers, only one
// satisfies the equation: p is the smallest 1/r of the variables, and at most 1/2.
func equationConfidence(cols ...*column) float64 {
	p := 0.5
	for _, c := range cols {
		p = min(p, 1/c.span())
	}
	return relationConfidence(p, cols...)
}

// emitRelations emits the relations that no sample contradicted.
func (p *pair) emitRelations(a, b *column, emit pairEmitter) {
	for bit := range 2 * len(relations) {
		x, y := a, b
		if bit%2 == 1 {
			x, y = b, a
		}
		r := relations[bit/2]
		if r.cond != nil && p.refuted&(1<<bit) == 0 && !x.constant() && !y.constant() {
			cond := r.cond(x.variable(), y.variable())
			emit(r.name, x, y, nil, cond, relationConfidence(0.5, x, y))
		}
	}
}

// emitLinear emits the template line and reports whether it did.
func (p *pair) emitLinear(a, b *column, least float64, emit pairEmitter) bool {
	if !a.integral() || !b.integral() {
		return false
	}
	cond, params, ok := p.line.cond(a.variable(), b.variable(), max(a.max, b.max))
	confidence := equationConfidence(a, b)
	if !ok || confidence < least {
		return false
	}
	emit("linear", a, b, params, cond, confidence)
	return true
}
