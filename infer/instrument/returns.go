package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/overlay"
)

// markReturns sets okName before each return after which nothing can panic: neither the operands
// nor, since such functions are left alone, deferred calls.
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

// cannotPanic reports whether an expression is sure not to panic. It knows variables, constants,
// fields of variables, and arithmetic without division and shifts.
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
		switch e.Op {
		case token.SUB, token.NOT, token.XOR:
			return w.cannotPanic(e.X)
		}
	case *ast.SelectorExpr:
		s := w.pkg.Info.Selections[e]
		if s == nil { // a variable or constant of a package
			return true
		}
		_, value := w.pkg.Info.TypeOf(e.X).Underlying().(*types.Struct)
		direct := value && len(s.Index()) == 1 // not through a pointer
		return s.Kind() == types.FieldVal && direct && w.cannotPanic(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT,
			token.LAND, token.LOR, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return w.cannotPanic(e.X) && w.cannotPanic(e.Y)
		case token.EQL, token.NEQ:
			return w.comparable(e.X) && w.comparable(e.Y) &&
				w.cannotPanic(e.X) && w.cannotPanic(e.Y)
		}
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok || !w.pkg.Info.Types[id].IsBuiltin() {
			return false
		}
		if id.Name == "len" || id.Name == "cap" {
			return w.cannotPanic(e.Args[0])
		}
	}
	return false
}

// comparable reports whether comparing a value cannot panic. Comparing interfaces can, and so can
// comparing what contains them.
func (w *rewriter) comparable(x ast.Expr) bool {
	switch w.pkg.Info.TypeOf(x).Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}
