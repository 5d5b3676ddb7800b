package main

import (
	"go/token"
	"math/big"
	"strings"

	"dsd/internal/expr"
)

// restate returns the claim without elements of the old sequence at a new index,
// orig(a[post(i)]), where the facts allow it: as a[i] if the elements are what they were, as
// orig(a[0]) if i is 0, as orig(a[i]) if i is what it was.
func (f *facts) restate(c *claim) *claim {
	if !strings.Contains(c.text, postFunc+"(") {
		return c
	}
	d := *c
	for _, e := range []*expr.Expr{&d.left, &d.right} {
		if *e != nil {
			*e = canonical(expr.Map(*e, f.restateElement))
		}
	}
	if c.premise != nil {
		d.premise, d.conclusion = f.restate(c.premise), f.restate(c.conclusion)
	}
	return &d
}

func (f *facts) restateElement(e expr.Expr) expr.Expr {
	if _, old := e.(*expr.Old); !old {
		return e
	}
	all, at := sequenceOf(e)
	if all == nil {
		return e
	}
	posts := 0
	i := expr.Map(at, func(x expr.Expr) expr.Expr {
		if call, ok := x.(*expr.Call); ok && call.Func == postFunc && len(call.Args) == 1 {
			posts++
			return call.Args[0]
		}
		return x
	})
	index := linear(i)
	if posts != 1 || index == nil || len(index.terms()) != 1 {
		return e
	}
	now, _ := cutOld(all)
	x := index.terms()[0]
	switch {
	case f.holds(&claim{form: comparison, left: now, op: token.EQL, right: all}):
		return elementAt(now, i)
	case f.valuesOf(x).is(numberValue(new(big.Rat).Neg(index.offset()))):
		return &expr.Old{X: elementAt(now, expr.Zero)}
	case f.equals(x, x.atEntry()):
		return &expr.Old{X: elementAt(now, i)}
	}
	return e
}

// ofSingletons returns a claim about sequences as one about their only elements. It returns nil if
// there is no sequence, or one that may have another length than 1.
func (f *facts) ofSingletons(c *claim) *claim {
	switch c.form {
	case comparison, lexical, elementwise, oneOf, divides, powerOfTwo:
	default:
		return nil
	}
	d := *c
	found, others := false, false
	only := func(s expr.Expr) expr.Expr {
		if !isSequence(s) {
			return s
		}
		n := f.exactly(variableOf(whole, lengthOf(s)))
		if n == nil || n.Cmp(oneRat) != 0 {
			others = true
			return s
		}
		found = true
		return endOf(s, last)
	}
	for _, e := range []*expr.Expr{&d.left, &d.right} {
		if *e != nil {
			*e = mapVariables(*e, only)
		}
	}
	if !found || others {
		return nil
	}
	d.elements = false
	if d.form == lexical || d.form == elementwise {
		d.form = comparison
	}
	d.list = nil
	for _, text := range c.list {
		if inner, ok := strings.CutPrefix(text, "["); ok && !strings.Contains(text, ",") {
			text = strings.TrimSuffix(inner, "]")
		}
		d.list = append(d.list, text)
	}
	return &d
}

// mapVariables returns a term with its variables changed, also where they are terms of a sum.
func mapVariables(e expr.Expr, change func(expr.Expr) expr.Expr) expr.Expr {
	switch x := e.(type) {
	case *expr.Binary:
		return &expr.Binary{Op: x.Op, X: mapVariables(x.X, change), Y: mapVariables(x.Y, change)}
	case *expr.Unary:
		return &expr.Unary{Op: x.Op, X: mapVariables(x.X, change)}
	}
	if isVariable(e) {
		return change(e)
	}
	return e
}
