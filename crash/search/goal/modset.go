package goal

import (
	"go/ast"
	"go/types"
	"strings"

	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/schemas"
)

// ModSets holds the fields and package-level variables that each function assigns, itself or in a
// function that it names.
type ModSets = *callgraph.Summary

// FindModSets computes the fields and package-level variables that each function of the module
// assigns. It is a hint for the search and neither sound nor precise: each variable on the left of
// an assignment counts, so all of x, f and i in x.f[i] = v, and so does each key of a struct
// literal. Calls through interfaces are not followed.
func FindModSets(prog *source.Program) ModSets {
	assigns := func(f *source.Func, add func(*types.Var)) {
		info := f.Pkg.Info
		assigned := func(x ast.Expr) {
			ast.Inspect(x, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					v, ok := info.Uses[id].(*types.Var)
					if ok && (v.IsField() || isGlobal(v)) {
						add(v)
					}
				}
				return true
			})
		}
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					assigned(x)
				}

			case *ast.IncDecStmt:
				assigned(n.X)

			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() {
						add(v)
					}
				}
			}
			return true
		})
	}
	return callgraph.New(prog).Summarize(callgraph.Call|callgraph.Value, assigns)
}

// isGlobal reports whether a variable is declared at package level.
func isGlobal(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// ConstrainedFields returns the names of the fields and package-level variables that a
// counterexample constrains.
func ConstrainedFields(ce *schemas.Counterexample) map[string]bool {
	out := map[string]bool{}
	ce.Walk(func(n *schemas.Node) {
		for i := range n.Fields {
			out[n.Fields[i].Name] = true
		}
	})
	for i := range ce.Globals {
		name := ce.Globals[i].Name
		out[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	return out
}
