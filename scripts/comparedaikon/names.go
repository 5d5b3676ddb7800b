package main

import (
	"go/token"

	"dsd/internal/expr"
)

// elements is the suffix of a sequence's name that Daikon's front ends write as [] or [..]: all
// elements of it.
const elements = "[]"

// last is the index of the last element in canonical trees.
var last = expr.Int(-1)

// fromDocument returns the canonical tree of an expression or of a variable of a document. Names
// that are not Go expressions are parsed as Daikon's.
func fromDocument(e expr.Expr) expr.Expr {
	return canonical(expr.Map(e, func(x expr.Expr) expr.Expr {
		name, ok := x.(*expr.Name)
		if !ok {
			return x
		}
		if parsed := parseTerm(name.Name); parsed != nil {
			return parsed
		}
		return x
	}))
}

// canonical returns the form that all names of a variable have in common, Daikon's and ours:
//
//	a[..]                  is  a[]              all elements
//	len(a[])               is  len(a)
//	a[][i]                 is  a[i]
//	a[].f[i]               is  a[i].f, unless i is 0: that is also the name of a sequence
//	a[len(a)-1]            is  a[-1]            the last element
//	len(old(a))            is  old(len(a))
//	old(a)[0], old(a)[-1]  is  old(a[0]), old(a[-1])
//	true, false            is  1, 0
func canonical(e expr.Expr) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		switch x := e.(type) {
		case *expr.Suffix:
			if x.Text == "[..]" {
				return &expr.Suffix{X: x.X, Text: elements}
			}
		case *expr.Const:
			switch x.Text {
			case "true":
				return expr.Int(1)
			case "false":
				return expr.Zero
			}
		case *expr.Call:
			return length(x)
		case *expr.Index:
			return element(x)
		case *expr.Old:
			switch inner := x.X.(type) {
			case *expr.Old, *expr.Const:
				return inner
			}
		}
		return e
	})
}

// length returns the canonical form of a call of len; other calls are returned as they are.
func length(x *expr.Call) expr.Expr {
	if x.Func != "len" || len(x.Args) != 1 {
		return x
	}
	of, old := cutOld(x.Args[0])
	if s, ok := of.(*expr.Suffix); ok && s.Text == elements {
		of = s.X
	}
	return withOld(&expr.Call{Func: "len", Args: []expr.Expr{of}}, old)
}

// element returns the canonical form of an element.
func element(x *expr.Index) expr.Expr {
	of, old := cutOld(x.X)
	i := x.I
	if isLast(i, of) {
		i = last
	}
	if n, ok := expr.Integer(i); old && !(ok && (n == 0 || n == -1)) {
		return x // the index is of another time than the sequence
	}
	return withOld(elementAt(of, i), old)
}

// elementAt returns the element i of a sequence: x[i] for x and x[], x[i].f for x[].f. The first
// one of x[].f stays x[].f[0], because that is also how Daikon's front end for C names the sequence
// of all x[i]->f.
func elementAt(of, i expr.Expr) expr.Expr {
	all := allElements(of)
	if n, ok := expr.Integer(i); all != nil && (all == of || !ok || n != 0) {
		return replace(of, all, &expr.Index{X: all.X, I: i})
	}
	return &expr.Index{X: of, I: i}
}

// isLast reports whether i is len(of)-1. Both are canonical.
func isLast(i, of expr.Expr) bool {
	b, ok := i.(*expr.Binary)
	if !ok || b.Op != token.SUB {
		return false
	}
	if n, ok := expr.Integer(b.Y); !ok || n != 1 {
		return false
	}
	size, _ := cutOld(b.X)
	want, _ := cutOld(length(&expr.Call{Func: "len", Args: []expr.Expr{of}}))
	return expr.Equal(size, want)
}

// allElements returns the node x[] that makes e a sequence: the innermost one of a[].f[].g, as
// Daikon indexes that. It returns nil if there is none.
func allElements(e expr.Expr) (found *expr.Suffix) {
	for e != nil {
		switch x := e.(type) {
		case *expr.Suffix:
			if x.Text == elements {
				found = x
			}
			e = x.X
		case *expr.Sel:
			e = x.X
		case *expr.Old:
			e = x.X
		case *expr.Index:
			e = x.X
		default:
			e = nil
		}
	}
	return found
}

// replace returns e with one node replaced, which stands on the way to the root of the variable e.
func replace(e, node, by expr.Expr) expr.Expr {
	if e == node {
		return by
	}
	switch x := e.(type) {
	case *expr.Suffix:
		return &expr.Suffix{X: replace(x.X, node, by), Text: x.Text}
	case *expr.Sel:
		return &expr.Sel{X: replace(x.X, node, by), Field: x.Field}
	case *expr.Old:
		return &expr.Old{X: replace(x.X, node, by)}
	case *expr.Index:
		return &expr.Index{X: replace(x.X, node, by), I: x.I}
	}
	return e
}

// sequence returns the tree under which facts know the elements of e: a[] for both a and a[].
func sequence(e expr.Expr) expr.Expr {
	if allElements(e) != nil {
		return e
	}
	of, old := cutOld(e)
	return withOld(&expr.Suffix{X: of, Text: elements}, old)
}

// sequenceOf returns the sequence that the variable e is an element of, and the index; nil if e
// is no element. Of a[i].f that is a[].f, and of a[i].f[0] it is a[].f[0].
func sequenceOf(e expr.Expr) (of, i expr.Expr) {
	inner, old := cutOld(e)
	for x := inner; ; {
		switch node := x.(type) {
		case *expr.Index:
			base, was := cutOld(node.X)
			if n, ok := expr.Integer(node.I); ok && n == 0 && hasIndex(base) {
				x = base
				continue
			}
			all := &expr.Suffix{X: base, Text: elements}
			if allElements(base) != nil {
				return withOld(base, old || was), node.I
			}
			return withOld(replace(inner, node, all), old || was), node.I
		case *expr.Sel:
			x = node.X
		case *expr.Suffix:
			x = node.X
		default:
			return nil, nil
		}
	}
}

// hasIndex reports whether a variable leads through an element.
func hasIndex(e expr.Expr) bool {
	switch x := e.(type) {
	case *expr.Index:
		return true
	case *expr.Sel:
		return hasIndex(x.X)
	case *expr.Suffix:
		return hasIndex(x.X)
	}
	return false
}

// lengthOf returns the length of a sequence.
func lengthOf(e expr.Expr) expr.Expr {
	return length(&expr.Call{Func: "len", Args: []expr.Expr{e}})
}

// endOf returns the first or last element of a sequence, at the index 0 or -1.
func endOf(e expr.Expr, i expr.Expr) expr.Expr {
	of, old := cutOld(e)
	return withOld(elementAt(of, i), old)
}

// isSequence reports whether e names all elements of a sequence: a[], a[].f, orig(a[]).
func isSequence(e expr.Expr) bool {
	return e != nil && isVariable(e) && allElements(e) != nil
}

// isVariable reports whether a canonical tree names a variable, rather than a sum of them or a
// constant. The call of a function of variables does, too.
func isVariable(e expr.Expr) bool {
	switch x := e.(type) {
	case *expr.Name, *expr.Sel, *expr.Index, *expr.Suffix, *expr.Deref, *expr.Call:
		return true
	case *expr.Old:
		return isVariable(x.X)
	}
	return false
}

// cutOld returns x for old(x), and reports whether e had that form. Other trees are returned as
// they are.
func cutOld(e expr.Expr) (x expr.Expr, old bool) {
	if o, ok := e.(*expr.Old); ok {
		return o.X, true
	}
	return e, false
}

func withOld(e expr.Expr, old bool) expr.Expr {
	if _, already := e.(*expr.Old); old && !already {
		return &expr.Old{X: e}
	}
	return e
}

// part tells which part of a sequence a variable of facts stands for.
type part uint8

const (
	whole    part = iota // the value itself
	each                 // every element
	least                // the smallest element
	greatest             // the largest element
)

// variable is a variable of facts. The zero value, one, stands for the constant in sums and
// bounds.
type variable struct {
	part part
	name string // the text of a canonical tree
}

var one variable

// variableOf returns the variable for a part of the value that the tree names.
func variableOf(p part, e expr.Expr) variable { return variable{p, e.String()} }

// atEntry returns the variable for the value at the function's entry.
func (v variable) atEntry() variable {
	if _, old := expr.CutOld(v.name); old || v == one {
		return v
	}
	return variable{v.part, expr.OldName(v.name)}
}

// isLength reports whether the variable is the length or capacity of something.
func (v variable) isLength() bool {
	name, _ := expr.CutOld(v.name)
	return v.part == whole && (expr.Applied(name, "len") || expr.Applied(name, "cap"))
}
