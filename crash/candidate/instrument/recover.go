package instrument

import (
	"go/ast"
	"go/types"

	"dsd/internal/overlay"
)

// noteRecovers passes what the calls of recover in a file return to the runtime, and reports whether there are any. A
// deferred function that recovers from a panic and raises another one ends the candidate by that one, but it is the
// first that Go prints, and where the stack begins.
func (r *rewriter) noteRecovers(e *overlay.Edits, file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return !restricted(n)
		case *ast.DeferStmt:
			return !r.isRecover(n.Call) // the runtime's function would be deferred
		case *ast.GoStmt:
			return !r.isRecover(n.Call)
		case *ast.CallExpr:
			if r.isRecover(n) {
				e.Replace(r.offset(n.Pos()), r.offset(n.End()), rtName+".Recovered(recover())")
				found = true
			}
		}
		return true
	})
	return found
}

// isRecover reports whether a call is one of the predeclared recover, written plainly.
func (r *rewriter) isRecover(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	if !ok || id.Name != "recover" {
		return false
	}
	_, builtin := r.pkg.Info.Uses[id].(*types.Builtin)
	return builtin
}
