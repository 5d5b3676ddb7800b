package blame

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/source"
)

// guardElsewhere returns the check of a site's subject that its function makes elsewhere, as text:
// "x != nil", "len(s) > i"; "" if it makes none. A function that checks a value once and uses it
// unchecked another time contradicts itself.
func guardElsewhere(s *site) string {
	if s == nil || s.subject == nil || s.fn == nil {
		return ""
	}
	want := types.ExprString(s.subject)
	if s.indexed != nil {
		want = "len(" + types.ExprString(s.indexed) + ")"
	}
	found := ""
	ast.Inspect(s.fn.Decl.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || found != "" || b.Pos() <= s.subject.Pos() && s.subject.Pos() < b.End() {
			return true
		}
		switch b.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			return true
		}
		x, y := types.ExprString(b.X), types.ExprString(b.Y)
		switch {
		case s.indexed == nil && x == want && y == "nil":
			found = types.ExprString(b)
		case s.indexed != nil && (x == want || y == want):
			found = types.ExprString(b)
		}
		return true
	})
	return found
}

// nilSiblings returns how many of the other exported methods of a method's type check their
// receiver for nil, and how many there are.
func (c *code) nilSiblings(f *source.Func) (checking, all int) {
	recv := f.Obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return 0, 0
	}
	n := namedOf(recv.Type())
	if n == nil {
		return 0, 0
	}
	for _, m := range c.methods[n.Obj()] {
		if m.Obj == f.Obj || !m.Obj.Exported() {
			continue
		}
		all++
		r := m.Obj.Type().(*types.Signature).Recv()
		if checksNil(m, r) {
			checking++
		}
	}
	return checking, all
}

// checksNil reports whether a function compares a variable with nil.
func checksNil(f *source.Func, v *types.Var) bool {
	found := false
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			x, ok := b.X.(*ast.Ident)
			y, isIdent := b.Y.(*ast.Ident)
			found = found || ok && isIdent && y.Name == "nil" && f.Pkg.Info.Uses[x] == v
		}
		return !found
	})
	return found
}

// deviant returns how siblings of the called function treat the nil receiver or the nil argument
// that it does not check, "" if they do not check it either [Engler 2001].
func (c *code) deviant(e *evidence) string {
	if e.called == nil || e.site == nil || e.site.fromParam == nil {
		return ""
	}
	sig := e.called.Obj.Type().(*types.Signature)
	if e.site.fromParam == sig.Recv() {
		if checking, all := c.nilSiblings(e.called); checking > 0 && 2*checking >= all {
			return fmt.Sprintf("%d of %d other methods of the type check for a nil receiver",
				checking, all)
		}
		return ""
	}
	if !isReference(e.site.fromParam.Type()) {
		return ""
	}
	checking, all := 0, 0
	for _, f := range e.called.Pkg.Funcs() {
		if f.Obj == e.called.Obj || !f.Obj.Exported() {
			continue
		}
		params := f.Obj.Type().(*types.Signature).Params()
		for i := range params.Len() {
			p := params.At(i)
			if p.Name() == e.site.fromParam.Name() &&
				types.Identical(p.Type(), e.site.fromParam.Type()) {
				if all++; checksNil(f, p) {
					checking++
				}
			}
		}
	}
	if checking > 1 && 2*checking >= all {
		return fmt.Sprintf("%d of %d other functions with a parameter %s check it for nil",
			checking, all, e.site.fromParam.Name())
	}
	return ""
}
