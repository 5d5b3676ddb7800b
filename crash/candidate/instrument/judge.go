package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"sort"

	"dsd/internal/expr"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// Preconditions are what was inferred of the inputs of functions, by name.
type Preconditions map[string][]string

// NewPreconditions reads the invariants that may be assumed at the entries of functions; none if doc is nil.
func NewPreconditions(doc *schemas.Invariants) Preconditions {
	out := Preconditions{}
	if doc == nil {
		return out
	}
	for _, p := range doc.Points {
		for _, inv := range p.Invariants {
			if p.At == schemas.AtEntry && inv.Assumed {
				out[p.Func] = append(out[p.Func], inv.Expr)
			}
		}
	}
	return out
}

// numbers gives each function with preconditions a number, from 1 on.
func (p Preconditions) numbers() map[string]int {
	var names []string
	for n := range p {
		names = append(names, n)
	}
	sort.Strings(names)
	out := map[string]int{}
	for i, n := range names {
		out[n] = i + 1
	}
	return out
}

// judge inserts the test of a function's preconditions at its beginning. Those that do not make sense there are left out.
func (r *rewriter) judge(e *overlay.Edits, f *source.Func, exprs []string, number int) {
	at := f.Decl.Body.Lbrace + 1
	var conds bytes.Buffer
	for _, text := range exprs {
		e, err := expr.Parse(text)
		if err != nil {
			continue
		}
		source := goSource(e)
		x, err := parser.ParseExpr(source)
		if err != nil {
			continue
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err := types.CheckExpr(r.prog.Fset, r.pkg.Types, at, x, info); err != nil || !isBool(info.TypeOf(x)) {
			continue
		}
		fmt.Fprintf(&conds, " && bool(%s)", source)
	}
	if conds.Len() > 0 {
		e.Insert(r.offset(at), fmt.Sprintf(" %s.Enter(%d, func() bool { return true%s });", rtName, number, conds.String()))
	}
}

func isBool(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// goSource returns a condition as Go, in which implies(a, b) is !a || b. What Go does not have, such
// as old(x), does not compile.
func goSource(e expr.Expr) string {
	return expr.Map(e, func(x expr.Expr) expr.Expr {
		if i, ok := x.(*expr.Implies); ok {
			return expr.Or(expr.Not(i.If), i.Then)
		}
		return x
	}).String()
}
