package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/overlay"
)

// okName is the variable that says that a function returns: that the deferred observation of its end does not run because of a panic. Where it is
// false, the runtime has to ask the stack, which takes longer than all the rest.
const okName = "_dsd_ok"

// markReturns sets it right before returns between which and the function's end nothing can panic. Functions that defer calls are left alone.
func (w *rewriter) markReturns(e *overlay.Edits, d *ast.FuncDecl) {
	var at []token.Pos
	deferred := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			deferred = true
		case *ast.ReturnStmt:
			safe := true
			for _, r := range n.Results {
				safe = safe && w.cannotPanic(r)
			}
			if safe {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	if deferred {
		return
	}
	for _, p := range at {
		e.Insert(w.offset(p), okName+" = true; ")
	}
	if d.Type.Results.NumFields() == 0 {
		e.Insert(w.offset(d.Body.Rbrace), "; "+okName+" = true ")
	}
}

// cannotPanic says so of an expression that is made of variables, constants and arithmetic.
func (w *rewriter) cannotPanic(e ast.Expr) bool {
	if w.pkg.Info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.FuncLit:
		return true
	case *ast.ParenExpr:
		return w.cannotPanic(e.X)
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.NOT || e.Op == token.XOR) && w.cannotPanic(e.X)
	case *ast.SelectorExpr:
		s := w.pkg.Info.Selections[e]
		if s == nil { // of a package
			return true
		}
		_, value := w.pkg.Info.TypeOf(e.X).Underlying().(*types.Struct)
		return s.Kind() == types.FieldVal && value && len(s.Index()) == 1 && w.cannotPanic(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT, token.LAND, token.LOR, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return w.cannotPanic(e.X) && w.cannotPanic(e.Y)
		case token.EQL, token.NEQ: // of interfaces they can
			basic := func(x ast.Expr) bool {
				switch w.pkg.Info.TypeOf(x).Underlying().(type) {
				case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
					return true
				}
				return false
			}
			return basic(e.X) && basic(e.Y) && w.cannotPanic(e.X) && w.cannotPanic(e.Y)
		}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && w.pkg.Info.Types[id].IsBuiltin() && (id.Name == "len" || id.Name == "cap") {
			return w.cannotPanic(e.Args[0])
		}
	}
	return false
}
