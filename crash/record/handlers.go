package record

import "go/ast"

// leave returns the first statement of a function that handles requests; see keep.Leave.
func (w *rewriter) leave(body *ast.BlockStmt) string {
	name := "Leave"
	if w.defers(body) { // a deferred call may panic after the function returned
		name = "LeaveLate"
	}
	return "defer " + rtName + "." + name + "(&" + okName + "); "
}

// handlers inserts the call of keep.Leave into the function literals of a file that handle requests, and reports whether
// there are any.
func (w *rewriter) handlers(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok || !w.serves(w.pkg.Info, lit.Type) {
			return true
		}
		found = true
		w.e.Insert(w.offset(lit.Body.Lbrace)+1, " "+okName+" := false; "+w.leave(lit.Body))
		w.returns(&ast.FuncDecl{Type: lit.Type, Body: lit.Body})
		return true
	})
	return found
}
