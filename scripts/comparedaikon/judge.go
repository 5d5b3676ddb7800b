package main

import (
	"go/token"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// states reports whether a document states a claim of Daikon's at a program point, or a stronger
// one. At a type, the claim must hold at all points of its methods.
func (d document) states(at place, c *claim) bool {
	if at.at == schemas.AtType {
		found := false
		for p, q := range d {
			if !isMethod(p.fn, at.fn) || !q.unguarded().nonNull[receiver] {
				continue
			}
			if found = true; !q.states(p.at, c) {
				return false
			}
		}
		return found
	}
	p := d[at]
	return p != nil && p.states(at.at, c)
}

// receiver is the name that front ends of languages with classes give the receiver.
var receiver = variable{whole, "this"}

// isMethod reports whether fn is a method of the type: type.name(...).
func isMethod(fn, typ string) bool {
	name, ok := strings.CutPrefix(fn, typ+".")
	open := strings.IndexByte(name, '(')
	return ok && open >= 0 && !strings.Contains(name[:open], ".")
}

// states reports whether the point states a claim: by its own facts, or by those of all returns.
func (p *point) states(at schemas.At, c *claim) bool {
	if c.form == implies {
		return p.implies(c.premise, c.conclusion) &&
			(!c.mutual || p.implies(c.conclusion, c.premise))
	}
	if p.facts(c).holds(c) {
		return true
	}
	all := at == schemas.AtExit && len(p.exits) > 0
	for _, q := range p.exits {
		all = all && q.facts(c).holds(c)
	}
	return all
}

// implies reports whether b holds in the samples in which a holds.
func (p *point) implies(a, b *claim) bool {
	both := &claim{form: implies, premise: a, conclusion: b}
	f := p.facts(both)
	premise, conclusion := a.condition(), b.condition()
	if premise != nil && conclusion != nil && expr.Equal(premise, conclusion) {
		return true
	}
	if f.holdsOr(a, b) {
		return true
	}
	notA, notB := a.negated(), f.otherBit(b) // if not b implies not a, then a implies b
	for _, x := range f.implications {
		if premise != nil && follow(premise, x.guards) && x.then.holds(b) {
			return true
		}
		if notA != nil && notB != nil && follow(notB, x.guards) && x.then.holds(notA) {
			return true
		}
	}
	for _, q := range p.exits {
		if !q.facts(both).holdsOr(a, b) {
			return false
		}
	}
	return len(p.exits) > 0
}

// holdsOr reports whether b holds, or a never does.
func (f *facts) holdsOr(a, b *claim) bool {
	if f.holds(b) {
		return true
	}
	notA := a.negated()
	return notA != nil && f.holds(notA)
}

// follow reports whether all guards follow from a condition.
func follow(a expr.Expr, guards []expr.Expr) bool {
	for _, g := range guards {
		if !expr.Entails(a, asComparison(g)) {
			return false
		}
	}
	return true
}

// asComparison returns the condition x == 1 for the bool x, and x == 0 for !x.
func asComparison(e expr.Expr) expr.Expr {
	if u, ok := e.(*expr.Unary); ok && u.Op == token.NOT && isVariable(u.X) {
		return expr.Eq(u.X, expr.Zero)
	}
	if isVariable(e) {
		return expr.Eq(e, expr.Int(1))
	}
	return e
}

// condition returns a comparison of values, a bool or a conjunction of these as a condition of our
// language, nil for other claims.
func (c *claim) condition() expr.Expr {
	if parts := strings.Split(c.text, " && "); len(parts) > 1 {
		var all []expr.Expr
		for _, text := range parts {
			e := parseClaim(text).condition()
			if e == nil {
				return nil
			}
			all = append(all, e)
		}
		return expr.And(all...)
	}
	switch {
	case c.form == comparison && !c.elements && c.left != nil && c.right != nil:
		return &expr.Binary{Op: c.op, X: c.left, Y: c.right}
	case c.form == other:
		name, negated := strings.CutPrefix(c.text, "!")
		if e := parseTerm(name); e != nil && isVariable(e) && negated {
			return expr.Eq(e, expr.Zero)
		} else if e != nil && isVariable(e) {
			return expr.Eq(e, expr.Int(1))
		}
	}
	return nil
}

// otherBit returns x == 1 for the claim x == 0 and x == 0 for x == 1, if x is known to be either.
// It returns nil for other claims.
func (f *facts) otherBit(c *claim) expr.Expr {
	if c.form != comparison || c.op != token.EQL || c.condition() == nil {
		return nil
	}
	if !isVariable(c.left) {
		return nil
	}
	n, ok := expr.Integer(c.right)
	if !ok || n != 0 && n != 1 {
		return nil
	}
	isFlag := f.in(variableOf(whole, c.left), f.flags) || f.guardsFlag(c.left)
	if bits := (values{"0": {}, "1": {}}); !isFlag && !f.values(c.left).within(bits) {
		return nil
	}
	return expr.Eq(c.left, expr.Int(1-n))
}

// guardsFlag reports whether a variable is a bool by which an implication is guarded.
func (f *facts) guardsFlag(e expr.Expr) bool {
	for _, x := range f.implications {
		for _, g := range x.guards {
			if u, ok := g.(*expr.Unary); ok {
				g = u.X
			}
			if isVariable(g) && expr.Equal(g, e) {
				return true
			}
		}
	}
	return false
}
