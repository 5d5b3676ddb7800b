package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// addressTaken returns the local variables of a function that must live in objects. They are those
//
//   - whose address is taken, or the address of a part, by &, slicing or a method with a pointer
//     receiver;
//   - that are arrays and indexed, because an element is addressed by its slot;
//   - that are captured by function literals or by the body of a loop over a function.
//
// The body of a loop over a function also stores to the results of the function around it.
func (sx *syntax) addressTaken(body *ast.BlockStmt, sig *types.Signature) map[types.Object]bool {
	info := sx.pkg.Info
	out := map[types.Object]bool{}
	mark := func(e ast.Expr) {
		if v := rootVar(info, e); v != nil {
			out[v] = true
		}
	}
	// captures marks the local variables that n uses, but that are declared outside [from, to).
	captures := func(n ast.Node, from, to token.Pos) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := info.Uses[id].(*types.Var)
			if ok && (v.Pos() < from || v.Pos() >= to) && isLocal(v) {
				out[v] = true
			}
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X)
			}

		case *ast.SliceExpr:
			if isArray(info.TypeOf(n.X)) {
				mark(n.X)
			}

		case *ast.IndexExpr:
			if isArray(info.TypeOf(n.X)) {
				mark(n.X)
			}

		case *ast.RangeStmt:
			t := info.TypeOf(n.X)
			if t == nil {
				break
			}
			switch sx.typ(t).Underlying().(type) {
			case *types.Array:
				mark(n.X)
			case *types.Signature:
				for _, part := range []ast.Node{n.Key, n.Value, n.Body} {
					if part != nil {
						captures(part, n.Pos(), n.End())
					}
				}
				for i := range sig.Results().Len() {
					out[sig.Results().At(i)] = true
				}
			}

		case *ast.SelectorExpr:
			s := info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal {
				break
			}
			_, ptr := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if ptr && pointee(sx.typeOf(n.X)) == nil {
				mark(n.X)
			}

		case *ast.FuncLit:
			captures(n.Body, n.Pos(), n.End())
		}
		return true
	})
	return out
}

// isLocal reports whether v is a local variable, a parameter or a result.
func isLocal(v *types.Var) bool {
	return !v.IsField() && v.Parent() != nil && v.Parent() != v.Pkg().Scope()
}
