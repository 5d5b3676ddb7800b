package invariant

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dsd/internal/expr"
)

// The confidence of an invariant is the probability that it did not hold by chance [DAIKON]. Each
// template names the probability p that one sample has the property by chance. Samples count as
// independent, so n of them have it by chance with probability p^n:
//
//	confidence = 1 - p^n
//
// The probabilities are estimates: 1/2 where nothing better is known.

// confidenceOf returns 1 - p^n.
func confidenceOf(p float64, n int64) float64 { return 1 - math.Pow(p, float64(max(n, 0))) }

// probNonNil is the probability that a reference is not nil by chance, and that it is nil by
// chance: tests try both where both are possible.
const probNonNil = 0.45

// maxOneOf is the largest number of values for the template one-of.
const maxOneOf = 3

// equalityConfidence returns the confidence that values were not equal to others by chance in n
// samples.
func (c *column) equalityConfidence(n int64) float64 {
	if c.kind == integer || c.kind == float || c.kind == text {
		return confidenceOf(0.25, n-1)
	}
	return confidenceOf(0.5, n)
}

// interesting reports whether a bound is one that programs have for a reason. Such a bound needs
// less evidence [DAIKON].
func interesting(v int64) bool { return -1 <= v && v <= 2 }

// bound returns the bound of an ordered variable that the samples justify, and its confidence. at
// is the extreme value and times the number of different samples that had it. up selects the upper
// bound.
//
// An extreme value that occurs often in different samples is no accident of sampling, and neither
// is the end of a range of which every value occurred. For n samples and a range of r values, the
// probability that at is a bound by chance is
//
//	e^-times                 in general
//	e^-times * (r/(r+1))^n   if at is an integer and every value of the range occurred
//	at most 2^-n / r         if at is an interesting integer
//	at most 2^-n             if at is the float 0
//
// If the confidence in at is below least, bound returns the nearest interesting bound beyond it.
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
	if interesting(at) {
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

// emitter receives an instance of a template over one variable.
type emitter func(template string, params []string, cond expr.Expr, confidence float64)

// scalarTemplate is a template over one variable.
type scalarTemplate struct {
	name  string
	kinds []kind // of the variables that it applies to
	// emit emits the instance for c, if no sample contradicts it. least is the confidence below
	// which the caller drops an instance.
	emit func(c *column, least float64, emit emitter)
}

// scalarTemplates lists the templates over one variable in the order of a document.
var scalarTemplates = []scalarTemplate{
	{"non-nil", []kind{ref, dynamic}, func(c *column, least float64, emit emitter) {
		if c.nils == 0 {
			cond := expr.Ne(c.variable(), expr.Nil)
			emit("non-nil", nil, cond, confidenceOf(probNonNil, c.n))
		}
	}},

	{"always-nil", []kind{ref, dynamic}, func(c *column, least float64, emit emitter) {
		if c.nils == c.n {
			cond := expr.Eq(c.variable(), expr.Nil)
			emit("always-nil", nil, cond, confidenceOf(probNonNil, c.n))
		}
	}},

	{"same-object", []kind{ref, sequence}, func(c *column, least float64, emit emitter) {
		if c.v.Address && c.nils == 0 && len(c.values) == 1 && !c.many {
			cond := expr.Apply("constant", c.variable())
			emit("same-object", nil, cond, confidenceOf(0.5, c.n))
		}
	}},

	{"constant-sequence", []kind{sequence}, func(c *column, least float64, emit emitter) {
		s := c.sequence
		if len(c.values) == 1 && !c.many && !c.unrepresentable && s.first != nil {
			list := expr.ListOf(goType(c.v), s.first)
			cond := expr.Apply("slices.Equal", c.variable(), list)
			emit("constant-sequence", s.first, cond, confidenceOf(0.5, c.n))
		}
	}},

	{"dynamic-type", []kind{dynamic}, func(c *column, least float64, emit emitter) {
		k := len(c.values)
		if c.nils > 0 || k < 1 || k > maxOneOf || c.many || !c.hasLiterals() {
			return
		}
		var cases []expr.Expr
		for _, t := range c.literals() {
			typeOf := expr.Apply("typeof", c.variable())
			cases = append(cases, expr.Eq(typeOf, expr.Literal(t)))
		}
		p := float64(k) / float64(k+1) // as for one-of
		emit("dynamic-type", c.literals(), expr.Or(cases...), confidenceOf(p, c.n))
	}},

	{"constant", []kind{integer, float, boolean, text}, func(c *column, least float64, emit emitter) {
		if c.constant() {
			t := c.literals()
			emit("constant", t, c.equals(t[0]), c.equalityConfidence(c.n))
		}
	}},

	// If one more value was possible, a sample has one of the k others with probability
	// k/(k+1).
	{"one-of", []kind{integer, float, text}, func(c *column, least float64, emit emitter) {
		if k := len(c.values); k > 1 && k <= maxOneOf && c.hasLiterals() {
			var cases []expr.Expr
			for _, t := range c.literals() {
				cases = append(cases, c.equals(t))
			}
			p := float64(k) / float64(k+1)
			emit("one-of", c.literals(), expr.Or(cases...), confidenceOf(p, c.n))
		}
	}},

	{"prefix", []kind{text}, func(c *column, least float64, emit emitter) {
		if len(c.values) > maxOneOf && !c.unrepresentable {
			c.affix.emit(c.variable(), len(c.values), emit)
		}
	}},

	// Of the positive integers up to max, log2(max)+1 are powers of two.
	{"power-of-two", []kind{integer}, func(c *column, least float64, emit emitter) {
		if x := c.variable(); c.power && c.manyIntegers() {
			share := (math.Log2(float64(c.max)) + 1) / float64(c.max)
			cond := expr.Eq(expr.Op("&", x, expr.Plus(x, -1)), expr.Zero)
			emit("power-of-two", nil, cond, confidenceOf(share, int64(len(c.values))))
		}
	}},

	// The first of k values has some residue; each of the others has it with probability 1/m.
	{"modulus", []kind{integer}, func(c *column, least float64, emit emitter) {
		if m, rest, ok := c.residue.class(c.min); ok && c.manyIntegers() {
			cond := expr.Eq(expr.Op("%", c.variable(), expr.Int(m)), expr.Int(rest))
			params := []string{fmt.Sprint(m), fmt.Sprint(rest)}
			emit("modulus", params, cond, confidenceOf(1/float64(m), int64(len(c.values))-1))
		}
	}},

	{"lower-bound", []kind{integer, float}, func(c *column, least float64, emit emitter) {
		if c.ordered() && !c.constant() && !(c.min == 0 && c.nonNegative()) {
			at, confidence := c.bound(c.min, c.atMin, least, false)
			if at != 0 || !c.nonNegative() {
				t := c.literal(at)
				cond := expr.Op(">=", c.variable(), expr.Literal(t))
				emit("lower-bound", []string{t}, cond, confidence)
			}
		}
	}},

	{"upper-bound", []kind{integer, float}, func(c *column, least float64, emit emitter) {
		if c.ordered() && !c.constant() {
			at, confidence := c.bound(c.max, c.atMax, least, true)
			t := c.literal(at)
			cond := expr.Op("<=", c.variable(), expr.Literal(t))
			emit("upper-bound", []string{t}, cond, confidence)
		}
	}},

	// Zero lies inside the range and did not occur. That is evidence in proportion to the
	// density of the values in their range, which is tiny for floats. The density is 1 if -1
	// and 1 occurred.
	{"non-zero", []kind{integer, float}, func(c *column, least float64, emit emitter) {
		if c.ordered() && !c.constant() && c.nearZero&2 == 0 && c.min < 0 && c.max > 0 {
			density := float64(len(c.values)) / c.span()
			if c.nearZero == 5 {
				density = 1
			}
			confidence := 1 - math.Pow(0.5, float64(c.n)*density)
			emit("non-zero", nil, expr.Ne(c.variable(), expr.Zero), confidence)
		}
	}},
}

// emitUnary emits the instances of all templates over one variable. An instance with a confidence
// below least does not suppress others.
func (c *column) emitUnary(least float64, emit emitter) {
	if c.n == 0 {
		return
	}
	listed := false // one-of was emitted, which implies the bounds
	for _, t := range scalarTemplates {
		if !slices.Contains(t.kinds, c.kind) || listed && strings.HasSuffix(t.name, "-bound") {
			continue
		}
		emitOne := func(template string, params []string, cond expr.Expr, confidence float64) {
			listed = listed || template == "one-of" && confidence >= least
			emit(template, params, cond, confidence)
		}
		t.emit(c, least, emitOne)
	}
	if c.sequence != nil {
		c.sequence.emit(c, least, emit)
	}
}
