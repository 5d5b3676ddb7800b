package main

import (
	"go/token"
	"math/big"
	"slices"

	"dsd/internal/expr"
)

// adder adds conditions to facts, of values at the entry if old is set.
type adder struct {
	*facts
	old bool
}

// variable returns the variable for a part of the value that a tree names.
func (f adder) variable(p part, e expr.Expr) variable {
	v := variableOf(p, e)
	if f.old {
		return v.atEntry()
	}
	return v
}

// linear is linear, of values at the entry if old is set.
func (f adder) linear(e expr.Expr) sum {
	s := linear(e)
	if s == nil || !f.old {
		return s
	}
	out := sum{}
	for v, c := range s {
		out.add(v.atEntry(), c)
	}
	return out
}

// add adds a canonical condition without guards. What has none of the forms of facts is left out:
// prefixes, relations of sequences but membership and equality, products, bit operations.
func (f adder) add(e expr.Expr) {
	switch x := e.(type) {
	case *expr.Forall:
		f.forall(x)
	case *expr.Call:
		f.call(x)
	case *expr.Unary:
		if x.Op == token.NOT {
			f.flag(whole, x.X, expr.Zero)
		}
	case *expr.Binary:
		switch {
		case x.Op == token.LOR:
			if of, list := alternatives(x); of != nil {
				v := f.variable(whole, of)
				f.oneOf(v, v, v, list)
			}
		case expr.IsComparison(x.Op):
			f.comparison(x)
		}
	default:
		if isVariable(e) {
			f.flag(whole, e, expr.Int(1))
		}
	}
}

// flag adds that a bool, or each element of a sequence of bools, is 0 or 1.
func (f adder) flag(p part, e, value expr.Expr) {
	if !isVariable(e) {
		return
	}
	v := f.variable(p, e)
	f.flags[v] = true
	f.constant(v, v, v, value)
}

func (f adder) comparison(x *expr.Binary) {
	if b, ok := x.X.(*expr.Binary); ok && x.Op == token.EQL && expr.Equal(x.Y, expr.Zero) {
		switch {
		case b.Op == token.REM && isVariable(b.X) && isVariable(b.Y):
			number, divisor := f.variable(whole, b.X), f.variable(whole, b.Y)
			f.divisors = append(f.divisors, [2]variable{number, divisor})
			return
		case b.Op == token.AND && isVariable(b.X) && expr.Equal(b.Y, expr.Plus(b.X, -1)):
			f.powers[f.variable(whole, b.X)] = true
			return
		}
	}
	if !isVariable(x.X) {
		f.equation(x)
		return
	}
	a := f.variable(whole, x.X)
	if c, ok := x.Y.(*expr.Const); ok {
		f.bounds(a, a, a, x.Op, c)
		return
	}
	if !isVariable(x.Y) {
		f.equation(x)
		return
	}
	b := f.variable(whole, x.Y)
	switch x.Op {
	case token.EQL:
		f.equal(a, b)
	case token.NEQ:
		f.different = append(f.different, [2]variable{a, b})
	case token.LSS:
		f.atMost(a, b, minusOne)
	case token.LEQ:
		f.atMost(a, b, zero)
	case token.GTR:
		f.atMost(b, a, minusOne)
	case token.GEQ:
		f.atMost(b, a, zero)
	}
}

func (f adder) equation(x *expr.Binary) {
	if x.Op != token.EQL {
		return
	}
	if a, b := f.linear(x.X), f.linear(x.Y); a != nil && b != nil {
		f.equations = append(f.equations, a.plus(b, minusOne))
	}
}

// bounds adds the comparison of v with a constant. The least value of v is low and the greatest is
// high: these are other variables than v if v stands for the elements of a sequence.
func (f adder) bounds(v, low, high variable, op token.Token, c *expr.Const) {
	if expr.IsNil(c) {
		switch op {
		case token.EQL:
			f.null[v] = true
		case token.NEQ:
			f.nonNull[v] = true
		}
		return
	}
	n := rational(c)
	switch {
	case op == token.EQL:
		f.constant(v, low, high, c)
	case n == nil:
	case op == token.NEQ && v == low && n.Sign() == 0:
		f.different = append(f.different, [2]variable{v, one})
	case op == token.NEQ && n.Sign() == 0:
		f.nonZero[v] = true
	case op == token.GEQ:
		f.atMost(one, low, new(big.Rat).Neg(n))
	case op == token.LEQ:
		f.atMost(high, one, n)
	}
}

func (f adder) constant(v, low, high variable, c expr.Expr) {
	f.oneOf(v, low, high, []expr.Expr{c})
}

// oneOf adds that v has one of the values.
func (f adder) oneOf(v, low, high variable, list []expr.Expr) {
	set := values{}
	var from, to *big.Rat
	for _, c := range list {
		set.add(valueOf(c))
		n := rational(c)
		if n == nil {
			f.among(v, valuesOf(list))
			return
		}
		if from == nil || n.Cmp(from) < 0 {
			from = n
		}
		if to == nil || n.Cmp(to) > 0 {
			to = n
		}
	}
	f.among(v, set)
	f.atMost(high, one, to)
	f.atMost(one, low, new(big.Rat).Neg(from))
}

// alternatives returns x and the list for x == 1 || x == 2, and nil for other conditions.
func alternatives(e expr.Expr) (of expr.Expr, list []expr.Expr) {
	b, ok := e.(*expr.Binary)
	if !ok {
		return nil, nil
	}
	switch b.Op {
	case token.LOR:
		of, list = alternatives(b.X)
		other, more := alternatives(b.Y)
		if of == nil || other == nil || !expr.Equal(of, other) {
			return nil, nil
		}
		return of, append(list, more...)
	case token.EQL:
		if _, ok := b.Y.(*expr.Const); ok && isVariable(b.X) {
			return b.X, []expr.Expr{b.Y}
		}
	}
	return nil, nil
}

func (f adder) call(x *expr.Call) {
	switch x.Func {
	case "constant":
		f.same[f.variable(whole, x.Args[0])] = true
	case "contains":
		item, list := f.variable(whole, x.Args[1]), f.variable(whole, sequence(x.Args[0]))
		f.members = append(f.members, [2]variable{item, list})
	case "slices.Equal":
		f.sameElements(x.Args[0], x.Args[1])
	default:
		if fn := expr.FunctionOf(x.Func); fn == nil || !fn.Condition || x.Func == "has" {
			f.flag(whole, x, expr.Int(1))
		}
	}
}

// sameElements adds that a sequence has the elements of another one, or of a list of constants. The
// sequence is known by the names a and a[], because documents of Go traces call it a.
func (f adder) sameElements(a, b expr.Expr) {
	if l, ok := b.(*expr.List); ok {
		list := values{}
		list.add(valueOf(l))
		f.among(f.variable(whole, a), list)
		if s := sequence(a); !expr.Equal(s, a) {
			f.among(f.variable(whole, s), list)
		}
		f.among(f.variable(each, sequence(a)), valuesOf(l.Elems))
		return
	}
	f.equal(f.variable(whole, a), f.variable(whole, b))
	if s := sequence(a); !expr.Equal(s, a) {
		f.equal(f.variable(whole, s), f.variable(whole, sequence(b)))
	}
}

// forall adds a condition on the elements of a sequence. Those that compare the elements of two
// sequences, or elements with their index, are left out.
func (f adder) forall(x *expr.Forall) {
	body := x.Body
	of := func(e expr.Expr) expr.Expr { // the sequence, if e is its element at the bound index
		s, i := sequenceOf(e)
		if n, ok := i.(*expr.Name); s == nil || !ok || n.Name != x.Var {
			return nil
		}
		return s
	}
	parts := func(s expr.Expr) (all, low, high variable) {
		return f.variable(each, s), f.variable(least, s), f.variable(greatest, s)
	}
	switch b := body.(type) {
	case *expr.Unary:
		if s := of(b.X); s != nil && b.Op == token.NOT {
			f.flag(each, s, expr.Zero)
		}
	case *expr.Call:
		if s := of(b.Args[0]); s != nil && b.Func == "constant" {
			f.same[f.variable(each, s)] = true
		}
	case *expr.Binary:
		if e, list := alternatives(b); b.Op == token.LOR && e != nil {
			if s := of(e); s != nil {
				all, low, high := parts(s)
				f.oneOf(all, low, high, list)
			}
			return
		}
		s := of(b.X)
		if s == nil || !expr.IsComparison(b.Op) {
			return
		}
		all, low, high := parts(s)
		if c, ok := b.Y.(*expr.Const); ok {
			f.bounds(all, low, high, b.Op, c)
			return
		}
		if next, i := sequenceOf(b.Y); next != nil {
			after := expr.Plus(&expr.Name{Name: x.Var}, 1)
			switch {
			case expr.Equal(i, after) && expr.Equal(next, s):
				f.sorted[f.variable(whole, s)] = b.Op
				return
			case slices.Contains(expr.Free(i), x.Var):
				return
			}
		}
		if isVariable(b.Y) && !slices.Contains(expr.Free(b.Y), x.Var) {
			f.order(low, high, b.Op, f.variable(whole, b.Y))
		}
	default:
		if s := of(body); s != nil {
			f.flag(each, s, expr.Int(1))
		}
	}
}

// order adds that all elements of a sequence, from low to high, compare with v alike.
func (f adder) order(low, high variable, op token.Token, v variable) {
	switch op {
	case token.LSS:
		f.atMost(high, v, minusOne)
	case token.LEQ:
		f.atMost(high, v, zero)
	case token.GTR:
		f.atMost(v, low, minusOne)
	case token.GEQ:
		f.atMost(v, low, zero)
	case token.EQL:
		for _, end := range []variable{high, low} {
			f.atMost(end, v, zero)
			f.atMost(v, end, zero)
		}
	}
}
