package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"

	"dsd/internal/expr"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// Preconditions are the invariants inferred of the inputs of functions, by the functions' names.
type Preconditions map[string][]expr.Expr

// NewPreconditions returns the invariants of doc that may be assumed at the entries of functions;
// none if doc is nil.
func NewPreconditions(doc *schemas.Invariants) Preconditions {
	out := Preconditions{}
	if doc == nil {
		return out
	}
	for _, p := range doc.Points {
		for _, inv := range p.Invariants {
			if p.At != schemas.AtEntry || !inv.Assumed {
				continue
			}
			if e, err := expr.Parse(inv.Expr); err == nil {
				out[p.Func] = append(out[p.Func], e)
			}
		}
	}
	return out
}

// numbers numbers the functions with preconditions, from 1.
func (p Preconditions) numbers() map[string]int {
	out := map[string]int{}
	for i, name := range slices.Sorted(maps.Keys(p)) {
		out[name] = i + 1
	}
	return out
}

// judge inserts the test of a function's preconditions at its beginning. Conditions that Go does
// not compile there are left out: those with old(x), forall and other forms of the language of
// invariants.
func (r *rewriter) judge(e *overlay.Edits, f *source.Func, conditions []expr.Expr, number int) {
	at := f.Decl.Body.Lbrace + 1
	var args, state string
	for _, cond := range conditions {
		source := goSource(cond)
		x, err := parser.ParseExpr(source)
		if err != nil {
			continue
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		err = types.CheckExpr(r.prog.Fset, r.pkg.Types, at, x, info)
		if err != nil || !isBool(info.TypeOf(x)) {
			continue
		}
		text := fmt.Sprintf(" && bool(%s)", source)
		if namesParameter(f, cond) {
			args += text
		} else {
			state += text
		}
	}
	if args+state != "" {
		e.Insert(r.offset(at), fmt.Sprintf(" %s.Enter(%d, %s, %s);", rtName, number,
			conjunction(args), conjunction(state)))
	}
}

// conjunction returns the function of conditions that each begin with " && ".
func conjunction(conditions string) string {
	if conditions == "" {
		return "nil"
	}
	return "func() bool { return true" + conditions + " }"
}

// namesParameter reports whether a condition is about a parameter of f, and not only about its
// receiver or package-level variables.
func namesParameter(f *source.Func, cond expr.Expr) bool {
	params := f.Obj.Type().(*types.Signature).Params()
	for i := range params.Len() {
		if slices.Contains(expr.Free(cond), params.At(i).Name()) {
			return true
		}
	}
	return false
}

// isBool reports whether t is a boolean type; nil is none.
func isBool(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// goSource returns a condition as Go, in which implies(a, b) is !a || b, and which tells cases apart
// where the condition has min or max: the testee may be older than these, or declare others. What
// Go does not have, such as old(x), does not compile.
func goSource(e expr.Expr) string {
	return expr.Map(e, func(x expr.Expr) expr.Expr {
		switch x := x.(type) {
		case *expr.Implies:
			return expr.Or(expr.Not(x.If), x.Then)
		case *expr.Binary:
			if expr.IsComparison(x.Op) {
				return cases(x)
			}
		}
		return x
	}).String()
}

// cases replaces min and max in a comparison: x < min(a, b) becomes
// a <= b && x < a || !(a <= b) && x < b.
func cases(e expr.Expr) expr.Expr {
	var found *expr.Call
	// with returns e with its first min or max replaced by the argument of index i.
	with := func(i int) expr.Expr {
		found = nil
		return expr.Map(e, func(x expr.Expr) expr.Expr {
			call, ok := x.(*expr.Call)
			if !ok || found != nil || call.Func != "min" && call.Func != "max" {
				return x
			}
			found = call
			return call.Args[i]
		})
	}
	first, second := with(0), with(1)
	if found == nil {
		return e
	}
	inOrder := expr.Op("<=", found.Args[0], found.Args[1])
	if found.Func == "max" {
		first, second = second, first
	}
	return expr.Or(expr.And(inOrder, cases(first)), expr.And(expr.Not(inOrder), cases(second)))
}
