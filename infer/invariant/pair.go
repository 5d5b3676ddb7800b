package invariant

import (
	"math"
	"strings"

	"dsd/internal/expr"
)

// relation is a template over two integers, tried both ways round.
type relation struct {
	name string
	// holds falsifies it.
	holds func(x, y int64) bool
	// cond is the condition on the variables so called; nil if it is not told, but kept for triples that part (see twice).
	cond func(x, y expr.Expr) expr.Expr
}

// relations are the templates over two integers beyond order and lines.
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

// Bits of pair.order.
const (
	isLess = 1 << iota
	isEqual
	isGreater
	isAny = isLess | isEqual | isGreater
)

// pair is the summary of two comparable variables, of which one at least was not constant.
type pair struct {
	a, b int // columns
	// n counts the samples, rows the different ones, in which both existed.
	n, rows int64
	// order says which of a < b, a == b and a > b were seen; of what has no order, isGreater stands for "differs".
	order uint8
	// refuted are the relations that were, two bits each: a with b and b with a.
	refuted uint16
	line    line
	// some says that they were equal and not nil.
	equalNonNil bool
	text        bool // of strings, whose order is not that of their codes
}

var allRefuted = uint16(1<<(2*len(relations)) - 1)

// newPair begins a pair. What has no numbers has no relations but the order.
func newPair(a, b int, numbers bool) *pair {
	p := &pair{a: a, b: b}
	if !numbers {
		p.refuted, p.line.refuted = allRefuted, true
	}
	return p
}

// dead says that nothing is left to be learned.
func (p *pair) dead() bool {
	return p.order == isAny && p.refuted == allRefuted && p.line.refuted
}

// idle says that nothing can be told of variables that have no order, and differ: that they always do is told of references that were never nil.
func (p *pair) uninformative(x, y *column) bool {
	return p.order&^isEqual != 0 && !p.text && !(x.ordered() && y.ordered()) && !(x.kind == ref && x.nils == 0 && y.nils == 0)
}

// add takes in a batch; ordered says that both variables have an order.
func (p *pair) add(x, y *vector, b *batch, ordered bool) {
	whole := x.complete() && y.complete()
	if whole {
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
	if odd := len(x.unrepresentable) > 0 || len(y.unrepresentable) > 0; odd || !ordered {
		p.refuted, p.line.refuted = allRefuted, true
		if p.text {
			p.compareTexts(x, y)
		} else {
			p.compareUnordered(x, y, odd)
		}
		return
	}
	if p.order != isAny {
		p.compare(x.code, y.code, x, y, whole)
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

// compare learns the order.
func (p *pair) compare(xs, ys []int64, x, y *vector, whole bool) {
	order := p.order
	ys = ys[:len(xs)]
	for i, u := range xs {
		v := ys[i]
		if !whole && !(x.present(i) && y.present(i)) {
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

// texts learns the order of strings; of those too long to be kept there is none but that of the equal.
func (p *pair) compareTexts(x, y *vector) {
	for i, u := range x.code {
		switch {
		case p.order == isAny:
			return
		case !x.present(i) || !y.present(i):
		case u == y.code[i]:
			p.order |= isEqual
			p.equalNonNil = true
		case x.isUnrepresentable(i) || y.isUnrepresentable(i) || i >= len(x.texts) || i >= len(y.texts):
			p.order = isAny
		default:
			p.order |= textOrder(x.texts[i], y.texts[i])
		}
	}
}

// unordered learns whether two variables are equal.
func (p *pair) compareUnordered(x, y *vector, odd bool) {
	if p.order == isAny {
		return
	}
	ys := y.code[:len(x.code)]
	if odd || !x.complete() || !y.complete() {
		for i, u := range x.code {
			switch {
			case !x.present(i) || !y.present(i):
			case u == ys[i] && !(odd && x.nan(i)):
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

// nan says that a value is not equal to itself.
func (v *vector) nan(row int) bool {
	return v.isUnrepresentable(row) && row < len(v.texts) && v.texts[row] == "NaN"
}

// relate falsifies the relations.
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

// comparable says which pairs are worth a look: same type, and of the same nature. group is what the variables have in common then.
func comparisonGroup(v Variable) (group string, ok bool) {
	if v.Group != "" {
		return string(v.Rep) + " " + v.Group, true
	}
	switch k := kinds[v.Rep]; {
	case k == integer, k == text, k == float, k == sequence, k == ref && strings.HasPrefix(v.Type, "*"), k == dynamic:
		return string(v.Rep) + " " + v.Type, true
	case k == boolean:
		name, _ := expr.CutOld(v.Name)
		return string(v.Rep) + " " + name, true
	}
	return "", false
}

// pairEmitter takes in an instance of a template over two variables.
type pairEmitter func(template string, a, b *column, params []string, cond expr.Expr, confidence float64)

// isOld says that a is what b was at the entry.
func isEntryValue(a, b *column) bool { return a.v.Name == expr.OldName(b.v.Name) }

// binary instantiates the templates over two variables; those of a confidence below least say nothing of others. What follows from constants alone is not said again.
func (p *pair) emit(a, b *column, least float64, emit pairEmitter) {
	if p.n == 0 || a.constant() && b.constant() {
		return
	}
	cond := func(op string, x, y *column) expr.Expr { return expr.Op(op, x.variable(), y.variable()) }
	if p.order == isEqual {
		if (a.kind == ref || a.kind == dynamic) && !p.equalNonNil { // two nils are no equality to speak of
			return
		}
		emitEqual(a, b, p.n, p.rows, emit)
		return
	}
	if p.text {
		if op, ok := map[uint8]string{isLess: "<", isLess | isEqual: "<=", isGreater: ">", isGreater | isEqual: ">="}[p.order]; ok {
			emit("string-order", a, b, []string{op}, cond(op, a, b), relationConfidence(0.5, a, b))
		}
		if p.order == isLess|isGreater { // that strings differ is no evidence of anything
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
	// Ranges that do not meet say it all: x == 3 and y >= 7.
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
		if a.kind == integer || a.kind == float { // that floats differ says next to nothing
			span := math.Max(float64(max(a.max, b.max))-float64(min(a.min, b.min))+1, 1)
			emit("not-equal", a, b, nil, cond("!=", a, b), confidenceOf(1-1/span, p.rows))
		}
	}
}

// equal instantiates equality.
func emitEqual(a, b *column, n, rows int64, emit pairEmitter) {
	switch {
	case a.kind == sequence:
		if all := a.sequence.all; len(a.values) > 1 || all.kind == ref && all.nils < all.n { // one list of numbers is told as it is
			emit("same-elements", a, b, nil, expr.Apply("slices.Equal", a.variable(), b.variable()), confidenceOf(0.5, n))
		}
	case isEntryValue(a, b):
		emit("unchanged", b, a, nil, expr.Eq(b.variable(), a.variable()), confidenceOf(0.5, n))
	case isEntryValue(b, a):
		emit("unchanged", a, b, nil, expr.Eq(a.variable(), b.variable()), confidenceOf(0.5, n))
	case a.kind == dynamic:
		if a.nils == 0 && len(a.values) > 1 {
			emit("same-type", a, b, nil, expr.Eq(expr.Apply("typeof", a.variable()), expr.Apply("typeof", b.variable())), confidenceOf(0.5, n))
		}
	case a.determined():
	default:
		if len(a.values) < 2 { // one pair of values, seen again and again
			n = rows
		}
		emit("equal", a, b, nil, expr.Eq(a.variable(), b.variable()), a.equalityConfidence(n+1))
	}
}

// evidence is the confidence in what numbers have in common: each of the different values that all had, but for two, was a chance to be
// wrong, which it would have been with a probability of 1-p.
func relationConfidence(p float64, cols ...*column) float64 {
	n := maxDistinct
	for _, c := range cols {
		n = min(n, len(c.values))
	}
	return confidenceOf(p, int64(n)-2)
}

// exact is the evidence for an equation: that a number is just that one of its range is no accident.
func equationConfidence(cols ...*column) float64 {
	p := 0.5
	for _, c := range cols {
		p = min(p, 1/c.span())
	}
	return relationConfidence(p, cols...)
}

func (p *pair) emitRelations(a, b *column, emit pairEmitter) {
	for bit := range 2 * len(relations) {
		x, y := a, b
		if bit%2 == 1 {
			x, y = b, a
		}
		if r := relations[bit/2]; r.cond != nil && p.refuted&(1<<bit) == 0 && !x.constant() && !y.constant() {
			emit(r.name, x, y, nil, r.cond(x.variable(), y.variable()), relationConfidence(0.5, x, y))
		}
	}
}

// linear instantiates the template line; false if the pair is not on one. What is on a line may be less, or not equal, for that reason alone.
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
