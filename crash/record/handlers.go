package record

import (
	"go/ast"
	"go/types"

	"dsd/internal/symbol"
)

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
		if !ok || !w.serves(lit.Type) {
			return true
		}
		found = true
		w.e.Insert(w.offset(lit.Body.Lbrace)+1, " "+okName+" := false; "+w.leave(lit.Body))
		w.returns(&ast.FuncDecl{Type: lit.Type, Body: lit.Body})
		return true
	})
	return found
}

// serves reports whether a function of type f may handle requests: whether a parameter is a context.Context, or has a
// type of net/http or of another module, such as a web framework.
func (w *rewriter) serves(f *ast.FuncType) bool {
	for _, field := range f.Params.List {
		t := types.Unalias(w.pkg.Info.TypeOf(field.Type))
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		if !ok || n.Obj().Pkg() == nil {
			continue
		}
		switch path := n.Obj().Pkg().Path(); {
		case path == "context", path == "net/http":
			return true
		case !symbol.MayBeStandard(path) && w.prog.Package(path) == nil:
			return true
		}
	}
	return false
}
