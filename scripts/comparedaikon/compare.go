package main

import (
	"go/token"
	"math/big"
	"strings"

	"dsd/internal/expr"
)

// operand is a side of a comparison.
type operand struct {
	v          variable
	isVariable bool
	value      value
	isConst    bool
	form       sum    // nil if it is none
	values     values // nil if they are not known
}

// operand returns the operand of a term.
func (f *facts) operand(e expr.Expr) operand {
	x := operand{v: variableOf(whole, e), isVariable: isVariable(e), form: linear(e)}
	switch e := e.(type) {
	case *expr.Const, *expr.List:
		x.value, x.isConst = valueOf(e), true
	}
	if x.isVariable {
		x.values = f.values(e)
	}
	return x
}

// ofPart returns the operand for the least or greatest element of a sequence.
func (f *facts) ofPart(p part, s expr.Expr) operand {
	v := variableOf(p, s)
	return operand{v: v, isVariable: true, form: single(v)}
}

// comparison reports whether left op right follows.
func (f *facts) comparison(left expr.Expr, op token.Token, right expr.Expr) bool {
	if op == token.GEQ && expr.Equal(right, expr.Zero) && isLength(left) {
		return true
	}
	if expr.IsNil(right) {
		v := variableOf(whole, left)
		switch op {
		case token.EQL:
			return f.in(v, f.null)
		case token.NEQ:
			return f.in(v, f.nonNull) || f.in(v, f.same)
		}
		return false
	}
	return f.compare(f.operand(left), op, f.operand(right))
}

// isLength reports whether a term is the length or capacity of something.
func isLength(e expr.Expr) bool {
	of, _ := cutOld(e)
	call, ok := of.(*expr.Call)
	return ok && (call.Func == "len" || call.Func == "cap")
}

// compare reports whether a op b follows: from values, or from bounds and equations.
func (f *facts) compare(a operand, op token.Token, b operand) bool {
	if f.compareValues(a, op, b) {
		return true
	}
	if a.form == nil || b.form == nil {
		return false
	}
	d := a.form.plus(b.form, minusOne)
	if op == token.EQL && f.solve(d) {
		return true
	}
	d = f.plain(d) // d op 0
	if f.signed(d, op) {
		return true
	}
	for _, eq := range f.equations { // replace a variable by what it is equal to
		eq = f.plain(eq)
		for _, v := range d.terms() {
			if op == token.EQL || eq[v] == nil {
				continue
			}
			factor := new(big.Rat).Quo(d[v], eq[v])
			if f.signed(d.plus(eq, factor.Neg(factor)), op) {
				return true
			}
		}
	}
	return op == token.NEQ && f.differ(d)
}

// compareValues reports whether a op b follows from the values that they have, from equality of
// variables, or from which references are nil.
func (f *facts) compareValues(a operand, op token.Token, b operand) bool {
	switch op {
	case token.EQL:
		if a.isVariable && b.isVariable && f.equals(a.v, b.v) {
			return true
		}
		if b.isConst && a.values.is(b.value) {
			return true
		}
		if v, ok := b.values.only(); ok && a.values.is(v) {
			return true
		}
		return f.in(a.v, f.null) && f.in(b.v, f.null)
	case token.NEQ:
		known := len(a.values) > 0 && len(b.values) > 0
		if known && len(a.values.intersect(b.values)) == 0 {
			return true
		}
		if b.isConst && (b.value.number != nil || b.value.isText()) && len(a.values) > 0 {
			if _, can := a.values[b.value.text]; !can {
				return true
			}
		}
		return f.in(a.v, f.null) && f.in(b.v, f.nonNull) ||
			f.in(b.v, f.null) && f.in(a.v, f.nonNull)
	case token.GTR:
		return f.compareValues(b, token.LSS, a)
	case token.LSS:
		_, high, aOK := a.values.texts()
		low, _, bOK := b.values.texts()
		return aOK && bOK && high < low
	}
	return false
}

// texts returns the least and the greatest of a set of strings; ok is false if it is not known, or
// not one of strings.
func (s values) texts() (low, high string, ok bool) {
	first := true
	for _, v := range s {
		if !v.isText() {
			return "", "", false
		}
		text := strings.Trim(v.text, `"`)
		if first || text < low {
			low = text
		}
		if first || text > high {
			high = text
		}
		first = false
	}
	return low, high, !first
}

// signed reports whether d op 0 follows from bounds.
func (f *facts) signed(d sum, op token.Token) bool {
	top := f.upper(d)
	bottom := f.upper(sum{}.plus(d, minusOne)) // the negated lower bound
	below := func(c bound, most int) bool { return c != nil && c.Sign() <= most }
	switch op {
	case token.LSS:
		return below(top, -1)
	case token.LEQ:
		return below(top, 0)
	case token.GTR:
		return below(bottom, -1)
	case token.GEQ:
		return below(bottom, 0)
	case token.EQL:
		return below(top, 0) && below(bottom, 0)
	case token.NEQ:
		return below(top, -1) || below(bottom, -1)
	}
	return false
}

// upper returns an upper bound of a sum, nil if none is known: the path between two variables of
// opposite coefficients, or the sum of the bounds of its terms.
func (f *facts) upper(s sum) bound {
	terms := s.terms()
	if len(terms) == 2 && new(big.Rat).Add(s[terms[0]], s[terms[1]]).Sign() == 0 {
		u, v := terms[0], terms[1]
		if s[u].Sign() < 0 {
			u, v = v, u
		}
		d := f.path(u, v)
		if d == nil {
			return nil
		}
		d = new(big.Rat).Mul(s[u], d)
		return d.Add(d, s.offset())
	}
	total := new(big.Rat).Set(s.offset())
	for _, v := range terms {
		c := s[v]
		limit := f.top(v)
		if c.Sign() < 0 {
			limit = f.bottom(v)
		}
		if limit == nil {
			return nil
		}
		total.Add(total, new(big.Rat).Mul(c, limit))
	}
	return total
}

// differ reports whether d != 0 is known.
func (f *facts) differ(d sum) bool {
	for _, pair := range f.different {
		eq := single(pair[0])
		if pair[1] != one {
			eq = eq.plus(single(pair[1]), minusOne)
		}
		if eq = f.plain(eq); d.equal(eq, oneRat) || d.equal(eq, minusOne) {
			return true
		}
	}
	return false
}
