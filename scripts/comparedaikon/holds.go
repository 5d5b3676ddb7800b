package main

import (
	"go/token"
	"math/big"
	"slices"

	"dsd/internal/expr"
)

// holds reports whether the facts state the claim, which is no implication, or a stronger one.
func (f *facts) holds(c *claim) bool {
	c = f.restate(c)
	if c.left == nil {
		return false
	}
	if c.form == comparison && c.op == token.EQL && f.isEmpty(c.left) && f.isEmpty(c.right) {
		return true
	}
	if d := f.ofSingletons(c); d != nil && f.holds(d) {
		return true
	}
	if c.elements {
		return f.elementsHold(c)
	}
	v := variableOf(whole, c.left)
	switch c.form {
	case oneOf:
		return f.isOneOf(c.left, v, c.list)
	case onlyValue:
		return f.isConstant(v, f.values(c.left))
	case onlyNonNull:
		all := variableOf(each, sequence(c.left))
		n := f.exactly(variableOf(whole, lengthOf(c.left)))
		return (f.in(all, f.nonNull) || f.in(all, f.same)) &&
			(f.in(v, f.same) || n != nil && n.Cmp(oneRat) == 0 && f.in(all, f.same))
	case sortedBy:
		return f.isSorted(c.left, c.op)
	case powerOfTwo:
		return f.in(v, f.powers)
	}
	if c.right == nil {
		return false
	}
	switch c.form {
	case lexical:
		return f.lexical(c)
	case member:
		return f.isMember(c.left, c.right)
	case divides:
		return f.divides(c.right, c.left)
	case comparison:
		return f.comparison(c.left, c.op, c.right)
	}
	return false
}

// isEmpty reports whether a term is a sequence without elements.
func (f *facts) isEmpty(e expr.Expr) bool {
	if l, ok := e.(*expr.List); ok {
		return len(l.Elems) == 0
	}
	if !isSequence(e) {
		return false
	}
	n := f.top(variableOf(whole, lengthOf(e)))
	return n != nil && n.Sign() == 0
}

// isOneOf reports whether e, which facts know as v, has one of the values.
func (f *facts) isOneOf(e expr.Expr, v variable, list []string) bool {
	want, numbers := values{}, true
	for _, text := range list {
		c := parseTerm(text)
		if c == nil {
			return false
		}
		want.add(valueOf(c))
		numbers = numbers && rational(c) != nil
	}
	s := linear(e)
	if s != nil && v.part == whole && !isVariable(e) && len(s.terms()) == 1 { // size(a)-1
		x := s.terms()[0]
		return f.valuesOf(x).moved(s[x], s.offset()).within(want)
	}
	var have values
	if v.part == whole {
		have = f.values(e)
	} else {
		have = f.valuesOf(v)
	}
	switch {
	case have != nil:
	case f.in(v, f.null):
		have = values{"nil": {text: "nil"}}
	case numbers:
		have = f.interval(v, oneRat, zero, maxInterval)
	}
	return have.within(want)
}

// maxInterval is the number of values of an interval that may be listed as alternatives.
const maxInterval = 5

// interval returns the values a*v + b of the integers that v can be, nil if they are not known to
// be at most n.
func (f *facts) interval(v variable, a, b *big.Rat, n int64) values {
	lo, hi := f.bottom(v), f.top(v)
	if lo == nil || hi == nil || !lo.IsInt() {
		return nil
	}
	if span := new(big.Rat).Sub(hi, lo); span.Cmp(big.NewRat(n, 1)) >= 0 {
		return nil
	}
	out := values{}
	for x := lo; x.Cmp(hi) <= 0; x = new(big.Rat).Add(x, oneRat) {
		out.add(numberValue(x))
	}
	return out.moved(a, b)
}

// lexical reports whether one sequence stands before another in lexical order.
func (f *facts) lexical(c *claim) bool {
	less, more := c.left, c.right
	if c.op == token.GTR || c.op == token.GEQ {
		less, more = more, less
	}
	weak := c.op == token.LEQ || c.op == token.GEQ
	a, aKnown := f.values(less).only()
	b, bKnown := f.values(more).only()
	if aKnown && bKnown {
		order, ok := compareLists(a, b)
		return ok && (order < 0 || order == 0 && weak)
	}
	if weak && f.equals(variableOf(whole, less), variableOf(whole, more)) {
		return true
	}
	for _, x := range []expr.Expr{less, more} {
		if n := f.bottom(variableOf(whole, lengthOf(x))); n == nil || n.Sign() <= 0 {
			return false
		}
	}
	first := func(e expr.Expr) variable { return variableOf(whole, endOf(e, expr.Zero)) }
	for _, u := range []variable{first(less), variableOf(greatest, sequence(less))} {
		for _, v := range []variable{first(more), variableOf(least, sequence(more))} {
			if d := f.path(u, v); d != nil && d.Sign() < 0 {
				return true
			}
		}
	}
	return false
}

// compareLists compares two lists of numbers; ok is false if there is another value.
func compareLists(a, b value) (order int, ok bool) {
	for i := range min(len(a.items), len(b.items)) {
		x, y := a.items[i].number, b.items[i].number
		if x == nil || y == nil {
			return 0, false
		}
		if order = x.Cmp(y); order != 0 {
			return order, true
		}
	}
	return len(a.items) - len(b.items), a.isList && b.isList
}

// elementsHold reports whether a claim holds for each element of a sequence.
func (f *facts) elementsHold(c *claim) bool {
	s := sequence(c.left)
	all := variableOf(each, s)
	switch c.form {
	case oneOf:
		return f.isOneOf(s, all, c.list)
	case onlyValue:
		return f.isConstant(all, f.valuesOf(all))
	case comparison:
	default:
		return false
	}
	if c.right == nil {
		return false
	}
	if expr.IsNil(c.right) {
		return c.op == token.NEQ && f.in(all, f.nonNull) ||
			c.op == token.EQL && f.in(all, f.null)
	}
	low, high, y := f.ofPart(least, s), f.ofPart(greatest, s), f.operand(c.right)
	switch c.op {
	case token.EQL:
		if y.isConst {
			return f.valuesOf(all).is(y.value)
		}
		return f.compare(high, token.EQL, y) && f.compare(low, token.EQL, y)
	case token.LSS, token.LEQ:
		return f.compare(high, c.op, y)
	case token.GTR, token.GEQ:
		return f.compare(low, c.op, y)
	}
	return f.compare(high, token.LSS, y) || f.compare(low, token.GTR, y) ||
		expr.Equal(c.right, expr.Zero) && f.nonZero[all]
}

// isSorted reports whether the elements of a sequence are in order.
func (f *facts) isSorted(e expr.Expr, op token.Token) bool {
	have, ok := f.sorted[variableOf(whole, sequence(e))]
	if ok && (have == op || orEqual[have] == op) {
		return true
	}
	v, ok := f.values(e).only()
	if !ok || !v.isList {
		return false
	}
	for i := range v.items {
		if v.items[i].number == nil {
			return false
		}
		if i == 0 {
			continue
		}
		order := v.items[i-1].number.Cmp(v.items[i].number)
		if !slices.Contains(ordersOf[op], order) {
			return false
		}
	}
	return ordersOf[op] != nil
}

// orEqual holds the weaker form of a strict order.
var orEqual = map[token.Token]token.Token{token.LSS: token.LEQ, token.GTR: token.GEQ}

// ordersOf holds the results of Cmp for which an order is true.
var ordersOf = map[token.Token][]int{
	token.LSS: {-1}, token.LEQ: {-1, 0}, token.GTR: {1}, token.GEQ: {0, 1},
}

// isMember reports whether e is an element of the sequence s.
func (f *facts) isMember(e, s expr.Expr) bool {
	x, all := variableOf(whole, e), variableOf(whole, sequence(s))
	for _, m := range f.members {
		if f.equals(m[0], x) && f.equals(m[1], all) {
			return true
		}
	}
	form := linear(e)
	var have values // of e
	switch {
	case isVariable(e):
		have = f.values(e)
	case form != nil && len(form.terms()) == 1:
		y := form.terms()[0]
		have = f.valuesOf(y).moved(form[y], form.offset())
	}
	if v, ok := have.only(); ok {
		n := f.bottom(variableOf(whole, lengthOf(s)))
		isEnd := f.values(endOf(s, expr.Zero)).is(v) || f.values(endOf(s, last)).is(v)
		if isEnd && n != nil && n.Sign() > 0 {
			return true
		}
	}
	list, ok := f.values(s).only()
	if !ok || !list.isList || form == nil {
		return false
	}
	items := values{}
	for _, item := range list.items {
		items.add(item)
	}
	switch terms := form.terms(); {
	case len(terms) == 0:
		have = values{}
		have.add(numberValue(form.offset()))
	case have == nil && len(terms) == 1:
		have = f.interval(terms[0], form[terms[0]], form.offset(), maxRange)
	}
	return have.within(items)
}

// maxRange is the number of values of an index for which membership in a constant list is decided.
const maxRange = 2000

// divides reports whether x divides y.
func (f *facts) divides(x, y expr.Expr) bool {
	u, v := variableOf(whole, x), variableOf(whole, y)
	for _, d := range f.divisors {
		if f.equals(d[0], v) && f.equals(d[1], u) {
			return true
		}
	}
	a, b := f.values(y), f.values(x)
	if f.comparison(y, token.EQL, x) || a.is(numberValue(zero)) {
		return true
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	for _, n := range a {
		for _, d := range b {
			if n.number == nil || d.number == nil || d.number.Sign() == 0 {
				return false
			}
			quotient := new(big.Rat).Quo(n.number, d.number)
			if !n.number.IsInt() || !d.number.IsInt() || !quotient.IsInt() {
				return false
			}
		}
	}
	return true
}
