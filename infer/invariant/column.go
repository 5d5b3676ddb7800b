package invariant

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"dsd/internal/expr"
	"dsd/schemas"
)

// column is the summary of the values of one variable, or of the elements of one sequence variable.
// It does not depend on the order of the samples.
type column struct {
	v Variable
	// The small fields stand together: there is a column for each variable of each point, and
	// alignment would double their size.
	kind
	many bool // see values
	// unrepresentable is set once a value has no literal or no place in the order.
	unrepresentable bool
	power           bool  // whether all values were powers of two
	nearZero        uint8 // bits 0, 1 and 2 are set if -1, 0 and 1 were seen
	// n counts the samples in which the variable existed, missing the others.
	n, missing int64
	rows       int64 // different samples in which the variable existed
	// values holds the different codes; many is set when there are more than maxDistinct.
	values []int64
	table  *valueTable // an index of values, once there are linearSearchLimit
	// texts holds the literals of the first few values that their codes do not determine, by
	// code.
	texts map[int64]string
	nils  int64 // samples in which the variable was nil
	// For ordered values: the extremes, and in how many different samples each was seen.
	min, max     int64
	atMin, atMax int64
	residue      residue
	affix        affix
	sequence     *sequenceSummary // nil unless the variable is a sequence
	x            expr.Expr        // a cache for the method variable
}

// newColumn returns an empty summary. index is the name that conditions use for the index of an
// element, if v is a sequence.
func newColumn(v Variable, index string) *column {
	c := &column{v: v, kind: kindOf(v.Rep), power: true}
	if c.kind == sequence {
		c.sequence = newSequenceSummary(v, index)
	}
	return c
}

// viewAs returns the summary under the name of another variable of its equality set. The two share
// their memory, so the result must not be updated; see clone.
func (c *column) viewAs(v Variable) *column {
	d := *c
	d.v, d.x = v, nil
	if c.sequence != nil {
		d.sequence = c.sequence.viewAs(v)
	}
	return &d
}

// clone returns an independent summary for another variable, which was equal in all samples so far.
func (c *column) clone(v Variable) *column {
	d := c.viewAs(v)
	d.unshare()
	if c.sequence != nil {
		d.sequence.all.unshare()
	}
	return d
}

// unshare replaces what the column refers to by copies.
func (c *column) unshare() {
	c.values, c.texts = slices.Clone(c.values), maps.Clone(c.texts)
	if c.table != nil {
		s := *c.table
		c.table = &s
	}
}

// variable returns the variable as an expression.
func (c *column) variable() expr.Expr {
	if c.x == nil {
		c.x = variableNamed(c.v.Name)
	}
	return c.x
}

// parsed maps the names of variables to their expressions. Few of the names of a module differ:
// methods of one type have the same variables.
var parsed sync.Map

// variableNamed is expr.Var, and parses each name once.
func variableNamed(name string) expr.Expr {
	if e, ok := parsed.Load(name); ok {
		return e.(expr.Expr)
	}
	e := expr.Var(name)
	parsed.Store(name, e)
	return e
}

// add updates the summary with the values v of the batch b.
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
	if c.kind != other {
		c.updateDistinct(v)
	}
	switch c.kind {
	case integer, float:
		if c.ordered() {
			c.updateExtremes(v)
		}
		if c.integral() {
			c.updateArithmetic(v)
		}
	case ref, dynamic:
		for i, x := range v.code {
			if x == 0 && v.present(i) {
				c.nils += b.counts[i]
			}
		}
	case sequence:
		c.sequence.add(v, b)
	}
}

// updateExtremes updates min, max, atMin, atMax and nearZero.
func (c *column) updateExtremes(v *vector) {
	lo, hi, atLo, atHi, near := c.min, c.max, c.atMin, c.atMax, c.nearZero
	seen := len(c.values) > 0 && c.atMin > 0
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

// updateArithmetic updates residue and power.
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

// startsVarying reports whether a variable that was constant in all samples so far, if any, stops
// being so with v. A variable that exists in some samples only is not constant.
func (c *column) startsVarying(v *vector) bool {
	first := v.code[0]
	if len(c.values) > 0 {
		first = c.values[0]
	}
	anyMissing := slices.Contains(v.missing, true)
	allMissing := anyMissing && !slices.Contains(v.missing, false)
	if anyMissing && (c.n > 0 || !allMissing) || c.missing > 0 && !allMissing {
		return true
	}
	for _, x := range v.code {
		if x != first {
			return true
		}
	}
	return false
}

// constant reports whether all samples had one value that can be written as a literal. References
// are numbered per sample, so the only constant reference is nil.
func (c *column) constant() bool {
	return c.n > 0 && len(c.values) == 1 && c.hasLiterals() &&
		(c.kind != ref && c.kind != dynamic || c.nils == c.n)
}

// determined reports whether the variable had a single value that was a literal or nil. Nothing
// else is worth reporting about a variable that is equal to it.
func (c *column) determined() bool { return c.constant() || c.n > 0 && c.nils == c.n }

// ordered reports whether the values are numbers of a known order.
func (c *column) ordered() bool {
	return (c.kind == integer || c.kind == float) && !c.unrepresentable
}

// integral reports whether all values were integers that fit in an int64.
func (c *column) integral() bool { return c.kind == integer && !c.unrepresentable }

// alwaysIntegral reports whether the variable was an integer that fits in an int64 in every sample.
func (c *column) alwaysIntegral() bool { return c.integral() && c.missing == 0 }

// manyIntegers reports whether the variable had enough different values to ask which part of their
// range they come from.
func (c *column) manyIntegers() bool { return c.integral() && len(c.values) > maxOneOf }

// nonNegative reports whether the variable cannot be negative, by its type or its name.
func (c *column) nonNegative() bool {
	return c.v.Rep == schemas.RepUint ||
		expr.Applied(c.v.Name, "len") || expr.Applied(c.v.Name, "cap")
}

// isMapLookup reports whether the variable is the presence of a key in a map, which check does not
// model.
func (c *column) isMapLookup() bool { return expr.Applied(c.v.Name, "has") }

// span returns the size of the range of the values, which is at least 1.
func (c *column) span() float64 { return float64(c.max) - float64(c.min) + 1 }

// hasLiterals reports whether every value has a Go literal. Integers that do not fit in an int64
// have one, too.
func (c *column) hasLiterals() bool { return !c.unrepresentable || c.kind == integer }

// literal returns the value that has a code as a Go literal.
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

// literals returns the literals of all values, sorted.
func (c *column) literals() []string {
	var out []string
	for _, x := range c.values {
		out = append(out, c.literal(x))
	}
	slices.Sort(out)
	return out
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
