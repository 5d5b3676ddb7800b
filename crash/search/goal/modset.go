package goal

import (
	"go/ast"
	"go/types"
	"strings"

	"dsd/internal/source"
	"dsd/schemas"
)

// ModSets holds, for each function, the fields and package-level variables that it may write.
type ModSets map[*types.Func]map[*types.Var]bool

// FindModSets computes what the functions of a module may write, themselves or through the functions
// that they mention. It is neither sound nor precise: an assignment to x.f[i] or *x.f counts as one
// to f and x, and calls through interfaces and function values are not followed.
//
// The sets are the least fixed point of
//
//	mod(f) = written(f) ∪ mod(g) for each g that f mentions
func FindModSets(prog *source.Program) ModSets {
	out := ModSets{}
	mentions := map[*types.Func][]*types.Func{}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			out[f.Obj], mentions[f.Obj] = written(pkg, f)
		}
	}
	for changed := true; changed; {
		changed = false
		for f, list := range mentions {
			for _, g := range list {
				for v := range out[g] {
					if !out[f][v] {
						out[f][v] = true
						changed = true
					}
				}
			}
		}
	}
	return out
}

// written returns the fields and package-level variables that a function writes itself, and the
// functions that it mentions.
func written(pkg *source.Package, f *source.Func) (map[*types.Var]bool, []*types.Func) {
	vars := map[*types.Var]bool{}
	var mentions []*types.Func
	assigned := func(x ast.Expr) {
		ast.Inspect(x, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, ok := pkg.Info.Uses[id].(*types.Var)
				if ok && (v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()) {
					vars[v.Origin()] = true
				}
			}
			return true
		})
	}
	ast.Inspect(f.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				assigned(x)
			}

		case *ast.IncDecStmt:
			assigned(n.X)

		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := pkg.Info.Uses[id].(*types.Var); ok && v.IsField() {
					vars[v.Origin()] = true
				}
			}

		case *ast.Ident:
			if g, ok := pkg.Info.Uses[n].(*types.Func); ok {
				mentions = append(mentions, g.Origin())
			}
		}
		return true
	})
	return vars, mentions
}

// ConstrainedFields returns the names of the fields and package-level variables that a
// counterexample constrains.
func ConstrainedFields(ce *schemas.Counterexample) map[string]bool {
	out := map[string]bool{}
	var visit func(n *schemas.Node)
	visit = func(n *schemas.Node) {
		for i := range n.Fields {
			out[n.Fields[i].Name] = true
			visit(&n.Fields[i].Node)
		}
		for i := range n.Elems {
			visit(&n.Elems[i].Value)
		}
		if n.Dynamic != nil {
			visit(n.Dynamic)
		}
	}
	for i := range ce.Objects {
		visit(&ce.Objects[i])
	}
	for i := range ce.Params {
		visit(&ce.Params[i].Node)
	}
	for i := range ce.Globals {
		name := ce.Globals[i].Name
		out[name[strings.LastIndexByte(name, '.')+1:]] = true
		visit(&ce.Globals[i].Node)
	}
	if ce.Receiver != nil {
		visit(&ce.Receiver.Node)
	}
	return out
}
