package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"sort"

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
			if p.At == "entry" && inv.Assumed {
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
		x, err := parser.ParseExpr(text)
		if err != nil {
			continue
		}
		x = withoutImplies(x)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err := types.CheckExpr(r.prog.Fset, r.pkg.Types, at, x, info); err != nil || !isBool(info.TypeOf(x)) {
			continue
		}
		conds.WriteString(" && bool(")
		printer.Fprint(&conds, token.NewFileSet(), x)
		conds.WriteString(")")
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

// withoutImplies writes implies(a, b) as !a || b.
func withoutImplies(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "implies" && len(x.Args) == 2 {
			not := &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: withoutImplies(x.Args[0])}}
			return &ast.BinaryExpr{X: not, Op: token.LOR, Y: &ast.ParenExpr{X: withoutImplies(x.Args[1])}}
		}
	case *ast.BinaryExpr:
		x.X, x.Y = withoutImplies(x.X), withoutImplies(x.Y)
	case *ast.ParenExpr:
		x.X = withoutImplies(x.X)
	case *ast.UnaryExpr:
		x.X = withoutImplies(x.X)
	}
	return x
}
