package invariant

import (
	"fmt"
	"math"
	"strings"

	"dsd/schemas"
)

// MinConfidence is the confidence below which an invariant is left out.
const MinConfidence = 0.9

// maxOneOf is the number of values of the template one-of.
const maxOneOf = 3

// interesting bounds are those that programs have for a reason, so they need less evidence [DAIKON].
func interesting(v int64) bool { return -1 <= v && v <= 2 }

// column is the summary of one variable.
type column struct {
	v schemas.TraceVar
	// n counts the samples in which the variable existed, missing the others.
	n, missing int64
	// values counts the distinct values, up to maxDistinct; many is set when there are more.
	values map[string]int64
	order  []string // of values, as first seen
	many   bool
	nils   int64
	unsaid bool // a value was seen that has no Go literal
	// Of numbers: all samples so far were numbers; extremes and how often they were seen; zero was seen.
	numeric      bool
	min, max     int64
	atMin, atMax int64
	zero         bool
	nearZero     [2]bool // -1 and 1 were seen
	residue      residue
	power        bool // all were powers of two
	// Of strings: what all begin and end with.
	affix affix
}

const maxDistinct = 64

func newColumn(v schemas.TraceVar) *column {
	return &column{v: v, values: map[string]int64{}, numeric: v.Rep == "int" || v.Rep == "uint", power: true}
}

func (c *column) add(x value, n int64) {
	if x.missing {
		c.missing += n
		return
	}
	if x.isNil {
		c.nils += n
	}
	if c.numeric && !x.isNum {
		c.numeric = false
	}
	if c.numeric {
		switch {
		case c.n == 0 || x.i < c.min:
			c.min, c.atMin = x.i, n
		case x.i == c.min:
			c.atMin += n
		}
		switch {
		case c.n == 0 || x.i > c.max:
			c.max, c.atMax = x.i, n
		case x.i == c.max:
			c.atMax += n
		}
		c.zero = c.zero || x.i == 0
		c.nearZero[0] = c.nearZero[0] || x.i == -1
		c.nearZero[1] = c.nearZero[1] || x.i == 1
		c.residue.add(x.i)
		c.power = c.power && x.i > 0 && x.i&(x.i-1) == 0
	}
	c.n += n
	c.unsaid = c.unsaid || x.unsaid
	if _, ok := c.values[x.text]; ok {
		c.values[x.text] += n
		return
	}
	if c.v.Rep == "string" && !x.unsaid {
		c.affix.add(x.text)
	}
	if len(c.order) == maxDistinct {
		c.many = true
		return
	}
	c.values[x.text] = n
	c.order = append(c.order, x.text)
}

// constant says that all samples had one value; of references, only nil is a value that means anything later.
func (c *column) constant() bool {
	return c.n > 0 && len(c.order) == 1 && !c.unsaid && (c.v.Rep != "ref" || c.order[0] == "nil")
}

// span is the size of the range of the values, at least 1.
func (c *column) span() float64 { return float64(c.max) - float64(c.min) + 1 }

// chance is the confidence 1 - p^n: n independent samples each had the property by chance with probability p.
func chance(p float64, n int64) float64 { return 1 - math.Pow(p, float64(n)) }

// unary instantiates the templates over one variable.
func (c *column) unary(emit func(template string, params []string, cond string, confidence float64)) {
	x := c.v.Name
	if c.n == 0 {
		return
	}
	if c.v.Rep == "ref" || c.v.Rep == "type" {
		switch {
		case c.nils == 0:
			emit("non-nil", nil, x+" != nil", chance(0.5, c.n))
		case c.nils == c.n:
			emit("always-nil", nil, x+" == nil", chance(0.5, c.n))
		}
		return
	}
	if c.constant() {
		emit("constant", c.order, equals(c.v, c.order[0]), chance(0.5, c.n))
		return
	}
	if len(c.order) <= maxOneOf && c.v.Rep != "bool" && !c.unsaid {
		var alts []string
		for _, t := range sorted(c.order) {
			alts = append(alts, equals(c.v, t))
		}
		k := float64(len(c.order))
		emit("one-of", sorted(c.order), strings.Join(alts, " || "), chance(k/(k+1), c.n))
	}
	if c.v.Rep == "string" && !c.unsaid && len(c.order) > maxOneOf {
		c.affix.emit(x, len(c.order), emit)
	}
	if !c.numeric {
		return
	}
	if len(c.order) > maxOneOf {
		c.scattered(emit)
	}
	unsignedZero := c.min == 0 && (c.v.Rep == "uint" || strings.HasPrefix(c.v.Name, "len(") || strings.HasPrefix(c.v.Name, "old(len("))
	if !unsignedZero {
		emit("lower-bound", []string{fmt.Sprint(c.min)}, fmt.Sprintf("%s >= %d", x, c.min), c.bound(c.min, c.atMin))
	}
	emit("upper-bound", []string{fmt.Sprint(c.max)}, fmt.Sprintf("%s <= %d", x, c.max), c.bound(c.max, c.atMax))
	if !c.zero && c.min < 0 && c.max > 0 {
		// Zero lies inside the range and was missed: telling in proportion to how densely the range was sampled.
		density := float64(len(c.order)) / c.span()
		if c.nearZero[0] && c.nearZero[1] {
			density = 1 // at least around zero
		}
		emit("non-zero", nil, x+" != 0", 1-math.Pow(0.5, float64(c.n)*density))
	}
}

// scattered instantiates the templates over one number that say which values within its range it has. Only different values count: each
// had the property by chance with the share of the range that has it.
func (c *column) scattered(emit func(template string, params []string, cond string, confidence float64)) {
	x, different := c.v.Name, int64(len(c.order))
	if c.power {
		share := (math.Log2(float64(c.max)) + 1) / float64(c.max)
		emit("power-of-two", nil, fmt.Sprintf("%s&(%s-1) == 0", x, x), chance(share, different))
	}
	if m, rest, ok := c.residue.class(c.min); ok {
		emit("modulus", []string{fmt.Sprint(m), fmt.Sprint(rest)}, fmt.Sprintf("%s%%%d == %d", x, m, rest), chance(1/float64(m), different-1))
	}
}

// bound is the confidence in a bound: one seen often is no accident of sampling, nor is one that ends a range of which
// every value was seen; an interesting one needs less.
func (c *column) bound(at, times int64) float64 {
	if interesting(at) {
		return chance(0.5, c.n)
	}
	doubt := math.Exp(-float64(times))
	if r := c.span(); !c.many && float64(len(c.order)) == r {
		doubt *= math.Pow(r/(r+1), float64(c.n))
	}
	return 1 - doubt
}

// equals is the condition that v has the value written as text.
func equals(v schemas.TraceVar, text string) string {
	if v.Rep == "bool" {
		if text == "true" {
			return v.Name
		}
		return "!" + v.Name
	}
	return v.Name + " == " + text
}

// pair is the summary of two comparable variables.
type pair struct {
	a, b *column
	// n counts samples, distinct the different ones, in which both existed.
	n, distinct int64
	// lt, eq and gt say that a < b, a == b and a > b were seen; of references and strings, gt stands for "differs".
	lt, eq, gt bool
	// bothNil says that an equality was seen of nothing but nils.
	onlyNil bool
	line    line
}

// comparable says which pairs are worth a look: same type, and of the same nature.
func comparable(a, b schemas.TraceVar) bool {
	if a.Rep != b.Rep || a.Type != b.Type {
		return false
	}
	switch a.Rep {
	case "int", "uint", "string":
		return true
	case "ref":
		return strings.HasPrefix(a.Type, "*")
	case "bool", "float":
		return a.Name == "old("+b.Name+")"
	}
	return false
}

func (p *pair) add(x, y value, n int64) {
	if x.missing || y.missing {
		return
	}
	if p.n == 0 {
		p.onlyNil = true
	}
	p.n += n
	p.distinct++
	if !(x.isNil && y.isNil) {
		p.onlyNil = false
	}
	if p.a.numeric && p.b.numeric {
		p.line.add(x.i, y.i)
	}
	switch {
	case x.text == y.text && x.text != "NaN":
		p.eq = true
	case p.a.numeric && p.b.numeric && less(x, y):
		p.lt = true
	default:
		p.gt = true
	}
}

// binary instantiates the templates over two variables. What follows from constants alone is not said again.
func (p *pair) binary(emit func(template string, a, b *column, params []string, cond string, confidence float64)) {
	if p.n == 0 || p.a.constant() && p.b.constant() {
		return
	}
	a, b := p.a, p.b
	old := a.v.Name == "old("+b.v.Name+")"
	if old && !p.lt && !p.gt {
		emit("unchanged", b, a, nil, b.v.Name+" == "+a.v.Name, chance(0.5, p.n))
		return
	}
	cond := func(op string, x, y *column) string { return x.v.Name + " " + op + " " + y.v.Name }
	if !p.lt && !p.gt {
		if !p.onlyNil {
			n := p.n
			if len(a.order) < 2 { // one pair of values, seen again and again
				n = p.distinct
			}
			emit("equal", a, b, nil, cond("==", a, b), chance(0.5, n))
		}
		return
	}
	if !a.numeric || !b.numeric {
		if !p.eq && a.v.Rep == "ref" && a.nils == 0 && b.nils == 0 {
			emit("not-equal", a, b, nil, cond("!=", a, b), chance(0.5, p.n))
		}
		return
	}
	if p.linear(emit) {
		return
	}
	// Ranges that do not meet say it all: x <= 3 and y >= 7.
	if a.max < b.min || b.max < a.min {
		if a.constant() || b.constant() {
			return
		}
	}
	switch {
	case !p.eq && !p.gt:
		emit("less", a, b, nil, cond("<", a, b), chance(0.5, p.distinct))
	case !p.eq && !p.lt:
		emit("less", b, a, nil, cond("<", b, a), chance(0.5, p.distinct))
	case !p.gt:
		emit("less-equal", a, b, nil, cond("<=", a, b), chance(0.5, p.distinct))
	case !p.lt:
		emit("less-equal", b, a, nil, cond("<=", b, a), chance(0.5, p.distinct))
	case !p.eq:
		span := math.Max(float64(max(a.max, b.max))-float64(min(a.min, b.min))+1, 1)
		emit("not-equal", a, b, nil, cond("!=", a, b), chance(1-1/span, p.distinct))
	}
}

// linear instantiates the template line; false if the pair is not on one. What is on a line may be less, or not equal, for that reason alone.
func (p *pair) linear(emit func(template string, a, b *column, params []string, cond string, confidence float64)) bool {
	a, b := p.a, p.b
	cond, params, ok := p.line.text(a.v.Name, b.v.Name, max(a.max, b.max))
	confidence := chance(0.5, int64(min(len(a.order), len(b.order)))-2)
	if !ok || confidence < MinConfidence {
		return false
	}
	emit("linear", a, b, params, cond, confidence)
	return true
}
