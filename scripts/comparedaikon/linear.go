package main

import (
	"cmp"
	"go/constant"
	"go/token"
	"math/big"
	"slices"
	"strings"

	"dsd/internal/expr"
)

// sum is a linear combination of variables: a coefficient per variable, none of them zero. The
// coefficient of the variable one is the constant.
type sum map[variable]*big.Rat

var (
	zero     = new(big.Rat)
	oneRat   = big.NewRat(1, 1)
	minusOne = big.NewRat(-1, 1)
)

// rational returns the value of a numeric constant, nil if e is none.
func rational(e expr.Expr) *big.Rat {
	c, ok := e.(*expr.Const)
	if !ok || c.Value == nil {
		return nil
	}
	if k := c.Value.Kind(); k != constant.Int && k != constant.Float {
		return nil
	}
	r, ok := new(big.Rat).SetString(c.Text)
	if !ok {
		return nil
	}
	return r
}

// linear returns a tree as a sum, nil if it is none: if it has products of variables, strings,
// lists or other operators.
func linear(e expr.Expr) sum {
	if r := rational(e); r != nil {
		return sum{}.plus(sum{one: r}, oneRat)
	}
	switch x := e.(type) {
	case *expr.Unary:
		if x.Op == token.SUB {
			if s := linear(x.X); s != nil {
				return sum{}.plus(s, minusOne)
			}
		}
		return nil
	case *expr.Binary:
		a, b := linear(x.X), linear(x.Y)
		if a == nil || b == nil {
			return nil
		}
		switch x.Op {
		case token.ADD:
			return a.plus(b, oneRat)
		case token.SUB:
			return a.plus(b, minusOne)
		case token.MUL:
			if r := a.constant(); r != nil {
				return sum{}.plus(b, r)
			}
			if r := b.constant(); r != nil {
				return sum{}.plus(a, r)
			}
		}
		return nil
	}
	if !isVariable(e) {
		return nil
	}
	return single(variableOf(whole, e))
}

// single returns the sum of one variable.
func single(v variable) sum { return sum{v: oneRat} }

// plus returns s + f*t.
func (s sum) plus(t sum, f *big.Rat) sum {
	out := make(sum, len(s)+len(t))
	for v, c := range s {
		out[v] = c
	}
	for v, c := range t {
		out.add(v, new(big.Rat).Mul(f, c))
	}
	return out
}

// add adds c*v to s.
func (s sum) add(v variable, c *big.Rat) {
	if have := s[v]; have != nil {
		c = new(big.Rat).Add(have, c)
	}
	if c.Sign() == 0 {
		delete(s, v)
	} else {
		s[v] = c
	}
}

// offset returns the constant of the sum.
func (s sum) offset() *big.Rat {
	if c := s[one]; c != nil {
		return c
	}
	return zero
}

// constant returns the value of a sum without variables, nil if it has some.
func (s sum) constant() *big.Rat {
	if len(s.terms()) > 0 {
		return nil
	}
	return s.offset()
}

// terms returns the variables of the sum, sorted.
func (s sum) terms() (out []variable) {
	for v := range s {
		if v != one {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b variable) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.part, b.part))
	})
	return out
}

// equal reports whether s == f*t.
func (s sum) equal(t sum, f *big.Rat) bool {
	return len(s.plus(t, new(big.Rat).Neg(f))) == 0
}
