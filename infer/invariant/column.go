package invariant

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// column is the summary of one variable, or of the elements of one. It does not depend on the order of the samples.
type column struct {
	v Variable
	kind
	// n counts the samples in which the variable existed, missing the others.
	n, missing int64
	rows       int64 // different samples in which it existed
	// values are the different ones; many is set when there are more than maxDistinct.
	values []int64
	table  *valueTable // where values are, once there are some
	many   bool
	// texts are how the first few values are written, of variables whose code does not tell.
	texts map[int64]string
	nils  int64
	// odd says that there was a value that has no literal, or no order.
	unrepresentable bool
	// Of ordered values: the extremes and in how many different samples they were seen.
	min, max     int64
	atMin, atMax int64
	nearZero     uint8 // the bits 0, 1 and 2: -1, 0 and 1 were seen
	residue      residue
	power        bool // all were powers of two
	affix        affix
	sequence     *sequenceSummary
	x            expr.Expr // the variable, once it is needed: see variable
}

// newColumn begins a summary; index is what the index of a sequence is called in conditions.
func newColumn(v Variable, index string) *column {
	c := &column{v: v, kind: kinds[v.Rep], power: true}
	if c.kind == sequence {
		c.sequence = newSequenceSummary(v, index)
	}
	return c
}

// as is the summary of another variable of the set, to be told of.
func (c *column) viewAs(v Variable) *column {
	d := *c
	d.v, d.x = v, nil
	if c.sequence != nil {
		d.sequence = c.sequence.as(v)
	}
	return &d
}

// variable returns the variable as an expression.
func (c *column) variable() expr.Expr {
	if c.x == nil {
		c.x = expr.Var(c.v.Name)
	}
	return c.x
}

// clone is a column of another variable that was equal so far.
func (c *column) clone(v Variable) *column {
	d := c.viewAs(v)
	d.unshare()
	if c.sequence != nil {
		d.sequence.all.unshare()
	}
	return d
}

// unshare gives the column its own copy of what it refers to.
func (c *column) unshare() {
	c.values, c.texts = slices.Clone(c.values), maps.Clone(c.texts)
	if c.table != nil {
		s := *c.table
		c.table = &s
	}
}

// ordered says that the values have an order that is known.
func (c *column) ordered() bool { return (c.kind == integer || c.kind == float) && !c.unrepresentable }

// whole says that all values are integers, with which one can calculate.
func (c *column) integral() bool { return c.kind == integer && !c.unrepresentable }

// always says that the variable existed in all samples, and was an integer.
func (c *column) alwaysIntegral() bool { return c.integral() && c.missing == 0 }

// add takes in a batch of the variable's values.
func (c *column) add(v *vector, b *batch) {
	if len(v.missing) == 0 {
		c.n += b.samples
		c.rows += int64(b.n)
	} else {
		for i, n := range b.counts {
			if v.missing[i] {
				c.missing += n
			} else {
				c.n += n
				c.rows++
			}
		}
	}
	if slices.Contains(v.unrepresentable, true) {
		c.unrepresentable = true
	}
	switch c.kind {
	case integer, float:
		c.updateDistinct(v)
		if c.ordered() {
			c.updateExtremes(v)
		}
		if c.integral() {
			c.updateArithmetic(v)
		}
	case boolean:
		c.updateDistinct(v)
	case ref, dynamic:
		for i, x := range v.code {
			if x == 0 && v.present(i) {
				c.nils += b.counts[i]
			}
		}
		c.updateDistinct(v)
	case text:
		c.updateDistinct(v)
	case sequence:
		c.updateDistinct(v)
		c.sequence.add(v, b)
	}
}

// extremes keeps them.
func (c *column) updateExtremes(v *vector) {
	lo, hi, atLo, atHi, near, seen := c.min, c.max, c.atMin, c.atMax, c.nearZero, len(c.values) > 0 && c.atMin > 0
	for i, x := range v.code {
		if !v.complete() && v.missing[i] {
			continue
		}
		if !seen {
			lo, hi, seen = x, x, true
		}
		switch {
		case x < lo:
			lo, atLo = x, 1
		case x == lo:
			atLo++
		}
		switch {
		case x > hi:
			hi, atHi = x, 1
		case x == hi:
			atHi++
		}
		if uint64(x)+1 <= 2 {
			near |= 1 << (x + 1)
		}
	}
	c.min, c.max, c.atMin, c.atMax, c.nearZero = lo, hi, atLo, atHi, near
}

// number keeps what is known of integers.
func (c *column) updateArithmetic(v *vector) {
	if c.residue.m != 1 {
		for i, x := range v.code {
			if v.present(i) {
				c.residue.add(x)
			}
		}
	}
	for i, x := range v.code {
		if !c.power {
			break
		}
		c.power = !v.present(i) || x > 0 && x&(x-1) == 0
	}
}

// constant says that all samples had one value; of references, only nil is a value that means anything later.
func (c *column) constant() bool {
	return c.n > 0 && len(c.values) == 1 && c.hasLiterals() && (c.kind != ref && c.kind != dynamic || c.nils == c.n)
}

// sayable says that all values have literals.
func (c *column) hasLiterals() bool {
	if !c.unrepresentable {
		return true
	}
	if c.kind != integer { // of 64 bits: those have
		return false
	}
	return true
}

// literal is how a value is written in Go.
func (c *column) literal(code int64) string {
	if t, ok := c.texts[code]; ok {
		return t
	}
	switch c.kind {
	case integer:
		return strconv.FormatInt(code, 10)
	case float:
		return strconv.FormatFloat(floatOf(code), 'g', -1, 64)
	case boolean:
		return strconv.FormatBool(code != 0)
	}
	return "nil"
}

// literals are those of all values, sorted.
func (c *column) literals() []string {
	var out []string
	for _, x := range c.values {
		out = append(out, c.literal(x))
	}
	slices.Sort(out)
	return out
}

// span is the size of the range of the values, at least 1.
func (c *column) span() float64 { return float64(c.max) - float64(c.min) + 1 }

// bound is the bound of an ordered variable that there is evidence for, and the confidence in it: the extreme value at, or else the nearest
// one beyond that programs have for a reason. What was seen often, in different samples, is no accident of sampling, nor is what
// ends a range of which every value was seen.
func (c *column) bound(at, times int64, least float64, up bool) (bound int64, confidence float64) {
	doubt := math.Exp(-float64(times))
	if r := c.span(); c.kind == integer && !c.many && float64(len(c.values)) == r {
		doubt *= math.Pow(r/(r+1), float64(c.n))
	}
	if c.kind == float {
		if at == 0 {
			doubt = min(doubt, math.Pow(0.5, float64(c.n)))
		}
		return at, 1 - doubt
	}
	if interesting(at) { // that it is just this one of the range is no accident, either
		doubt = min(doubt, math.Pow(0.5, float64(c.n))/c.span())
	}
	if 1-doubt >= least || interesting(at) {
		return at, 1 - doubt
	}
	for _, b := range []int64{1, 0, -1} {
		if up {
			b = -b
		}
		if !up && b < at || up && b > at {
			return b, confidenceOf(0.5, c.n)
		}
	}
	return at, 1 - doubt
}

// equals returns the condition that the variable has the value of a literal.
func (c *column) equals(literal string) expr.Expr {
	if c.kind == boolean {
		if literal == "true" {
			return c.variable()
		}
		return expr.Not(c.variable())
	}
	return expr.Eq(c.variable(), expr.Literal(literal))
}

// emitter takes in an instance of a template.
type emitter func(template string, params []string, cond expr.Expr, confidence float64)

// scalar is a template over one variable.
type scalarTemplate struct {
	name  string
	kinds []kind
	// emit instantiates it, if no sample spoke against it; least is the confidence that is asked for.
	emit func(c *column, least float64, emit emitter)
}

// scalars are the templates over one variable, in the order in which they are told.
var scalarTemplates = []scalarTemplate{
	{"non-nil", []kind{ref, dynamic}, func(c *column, least float64, emit emitter) {
		if c.nils == 0 {
			emit("non-nil", nil, expr.Ne(c.variable(), expr.Nil), confidenceOf(probNonNil, c.n))
		}
	}},
	{"always-nil", []kind{ref, dynamic}, func(c *column, least float64, emit emitter) {
		if c.nils == c.n {
			emit("always-nil", nil, expr.Eq(c.variable(), expr.Nil), confidenceOf(probNonNil, c.n))
		}
	}},
	{"same-object", []kind{ref, sequence}, func(c *column, least float64, emit emitter) {
		if c.v.Address && c.nils == 0 && len(c.values) == 1 && !c.many {
			emit("same-object", nil, expr.Apply("constant", c.variable()), confidenceOf(0.5, c.n))
		}
	}},
	{"constant-sequence", []kind{sequence}, func(c *column, least float64, emit emitter) {
		if s := c.sequence; len(c.values) == 1 && !c.many && !c.unrepresentable && s.first != nil {
			emit("constant-sequence", s.first, expr.Apply("slices.Equal", c.variable(), expr.ListOf(goType(c.v), s.first)), confidenceOf(0.5, c.n))
		}
	}},
	{"dynamic-type", []kind{dynamic}, func(c *column, least float64, emit emitter) {
		if c.nils == 0 && len(c.values) == 1 {
			t := c.literals()
			emit("dynamic-type", t, expr.Eq(expr.Apply("typeof", c.variable()), expr.Literal(t[0])), confidenceOf(0.5, c.n))
		}
	}},
	{"constant", []kind{integer, float, boolean, text}, func(c *column, least float64, emit emitter) {
		if c.constant() {
			emit("constant", c.literals(), c.equals(c.literals()[0]), c.equalityConfidence(c.n))
		}
	}},
	{"one-of", []kind{integer, float, text}, func(c *column, least float64, emit emitter) {
		if k := len(c.values); k > 1 && k <= maxOneOf && c.hasLiterals() {
			var cases []expr.Expr
			for _, t := range c.literals() {
				cases = append(cases, c.equals(t))
			}
			emit("one-of", c.literals(), expr.Or(cases...), confidenceOf(float64(k)/float64(k+1), c.n))
		}
	}},
	{"prefix", []kind{text}, func(c *column, least float64, emit emitter) {
		if len(c.values) > maxOneOf && !c.unrepresentable {
			c.affix.emit(c.variable(), len(c.values), emit)
		}
	}},
	{"power-of-two", []kind{integer}, func(c *column, least float64, emit emitter) {
		if x := c.variable(); c.power && c.manyIntegers() {
			share := (math.Log2(float64(c.max)) + 1) / float64(c.max)
			emit("power-of-two", nil, expr.Eq(expr.Op("&", x, expr.Plus(x, -1)), expr.Zero), confidenceOf(share, int64(len(c.values))))
		}
	}},
	{"modulus", []kind{integer}, func(c *column, least float64, emit emitter) {
		if m, rest, ok := c.residue.class(c.min); ok && c.manyIntegers() {
			emit("modulus", []string{fmt.Sprint(m), fmt.Sprint(rest)}, expr.Eq(expr.Op("%", c.variable(), expr.Int(m)), expr.Int(rest)), confidenceOf(1/float64(m), int64(len(c.values))-1))
		}
	}},
	{"lower-bound", []kind{integer, float}, func(c *column, least float64, emit emitter) {
		if c.ordered() && !c.constant() && !(c.min == 0 && c.nonNegative()) {
			if at, confidence := c.bound(c.min, c.atMin, least, false); at != 0 || !c.nonNegative() {
				emit("lower-bound", []string{c.literal(at)}, expr.Op(">=", c.variable(), expr.Literal(c.literal(at))), confidence)
			}
		}
	}},
	{"upper-bound", []kind{integer, float}, func(c *column, least float64, emit emitter) {
		if c.ordered() && !c.constant() {
			at, confidence := c.bound(c.max, c.atMax, least, true)
			emit("upper-bound", []string{c.literal(at)}, expr.Op("<=", c.variable(), expr.Literal(c.literal(at))), confidence)
		}
	}},
	{"non-zero", []kind{integer, float}, func(c *column, least float64, emit emitter) {
		if c.ordered() && !c.constant() && c.nearZero&2 == 0 && c.min < 0 && c.max > 0 {
			// Zero lies inside the range and was missed: telling in proportion to how densely the range was sampled, which of floats is next to nothing.
			density := float64(len(c.values)) / c.span()
			if c.nearZero == 5 {
				density = 1 // at least around zero
			}
			emit("non-zero", nil, expr.Ne(c.variable(), expr.Zero), 1-math.Pow(0.5, float64(c.n)*density))
		}
	}},
}

// scattered says that there are enough different values to ask which of its range a variable has.
func (c *column) manyIntegers() bool { return c.integral() && len(c.values) > maxOneOf }

// natural says that the variable cannot be negative.
func (c *column) nonNegative() bool {
	return c.v.Rep == schemas.RepUint || expr.Applied(c.v.Name, "len") || expr.Applied(c.v.Name, "cap")
}

// ofMap says that the variable is whether a map has a key, which check knows nothing of.
func (c *column) isMapLookup() bool { return expr.Applied(c.v.Name, "has") }

// only says that the variable had one value that says it all, so that those equal to it have nothing more to tell.
func (c *column) determined() bool { return c.constant() || c.n > 0 && c.nils == c.n }

// unary instantiates the templates over one variable; those of a confidence below least say nothing of others.
func (c *column) unary(least float64, emit emitter) {
	if c.n == 0 {
		return
	}
	listed := false // that a value is one of a few says what its bounds are
	for _, t := range scalarTemplates {
		if slices.Contains(t.kinds, c.kind) && !(listed && strings.HasSuffix(t.name, "-bound")) {
			t.emit(c, least, func(template string, params []string, cond expr.Expr, confidence float64) {
				listed = listed || template == "one-of" && confidence >= least
				emit(template, params, cond, confidence)
			})
		}
	}
	if c.sequence != nil {
		c.sequence.emit(c, least, emit)
	}
}

// chance is the confidence 1 - p^n: n independent samples each had the property by chance with probability p.
func confidenceOf(p float64, n int64) float64 { return 1 - math.Pow(p, float64(max(n, 0))) }

// same is the confidence in that values were not equal to others by chance, n times.
func (c *column) equalityConfidence(n int64) float64 {
	if c.kind == integer || c.kind == float || c.kind == text {
		return confidenceOf(0.25, n-1)
	}
	return confidenceOf(0.5, n)
}

// notNil is the probability that a reference that may be nil is not, or one that may not be: where both are possible, tests try both.
const probNonNil = 0.45

// maxOneOf is the number of values of the template one-of.
const maxOneOf = 3

// interesting bounds are those that programs have for a reason, so they need less evidence [DAIKON].
func interesting(v int64) bool { return -1 <= v && v <= 2 }
