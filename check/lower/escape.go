package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An object is what a variable lives in that is not in scalar variables, by who may refer to it.
type object int

const (
	privateObject object = iota + 1 // only its own function, by its name
	sharedObject                    // others, too
)

// addressTaken returns the local variables of a function that must live in objects. They are those
//
//   - whose address is taken, or the address of a part, by &, slicing or a method with a pointer
//     receiver;
//   - that are captured by function literals or by the body of a loop over a function;
//   - that are arrays and indexed, because an element is addressed by its slot; if that is all, the object
//     is private.
//
// The body of a loop over a function also stores to the results of the function around it.
func (sx *syntax) addressTaken(body *ast.BlockStmt, sig *types.Signature) map[types.Object]object {
	info := sx.pkg.Info
	out := map[types.Object]object{}
	mark := func(e ast.Expr, how object) {
		if v := rootVar(info, e); v != nil {
			out[v] = max(out[v], how)
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
				out[v] = sharedObject
			}
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X, sharedObject)
			}

		case *ast.SliceExpr:
			if isArray(info.TypeOf(n.X)) {
				mark(n.X, sharedObject)
			}

		case *ast.IndexExpr:
			if isArray(info.TypeOf(n.X)) {
				mark(n.X, privateObject)
			}

		case *ast.RangeStmt:
			t := info.TypeOf(n.X)
			if t == nil {
				break
			}
			switch sx.typ(t).Underlying().(type) {
			case *types.Array:
				mark(n.X, privateObject)
			case *types.Signature:
				for _, part := range []ast.Node{n.Key, n.Value, n.Body} {
					if part != nil {
						captures(part, n.Pos(), n.End())
					}
				}
				for i := range sig.Results().Len() {
					out[sig.Results().At(i)] = sharedObject
				}
			}

		case *ast.SelectorExpr:
			s := info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal {
				break
			}
			_, ptr := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if ptr && pointee(sx.typeOf(n.X)) == nil {
				mark(n.X, sharedObject)
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
