package source

import (
	"go/ast"
	"go/types"
)

// Captured returns the variables around a function literal that it uses, or that literals in it use,
// in the order in which it mentions them. Package-level variables are not among them.
func Captured(info *types.Info, lit *ast.FuncLit) []*types.Var {
	var out []*types.Var
	seen := map[*types.Var]bool{}
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || seen[v] || v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() ||
			lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			return true
		}
		seen[v] = true
		out = append(out, v)
		return true
	})
	return out
}
