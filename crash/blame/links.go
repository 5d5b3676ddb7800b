package blame

import (
	"go/ast"
	"go/types"
)

// connect notes that the variable of a definition is another one, or part of the value whose method
// returned it.
func (r *inputReader) connect(n *ast.AssignStmt) {
	id, ok := n.Lhs[0].(*ast.Ident)
	if !ok || r.info.Defs[id] == nil {
		return
	}
	switch x := ast.Unparen(n.Rhs[0]).(type) {
	case *ast.Ident:
		if v := r.variable(x); v != nil {
			r.aliases[r.info.Defs[id]] = v
		}
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && r.callee(x) != nil {
			if v := r.variable(sel.X); v != nil {
				r.wholes[r.info.Defs[id]] = v
			}
		}
	}
}

// variable returns the variable that an expression is, the first one of those that are the same; nil
// if it is anything else.
func (r *inputReader) variable(x ast.Expr) types.Object {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := r.info.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	if first := r.aliases[v]; first != nil {
		return first
	}
	return v
}

// isPart reports whether the variable x has a value that methods of the variable y returned, or
// methods of that value, and so on.
func (r *inputReader) isPart(x, y ast.Expr) bool {
	part, whole := r.variable(x), r.variable(y)
	for part != nil && whole != nil {
		if part = r.wholes[part]; part == whole {
			return true
		}
	}
	return false
}

// tamper notes an assignment to a field of an object that the module's calls made, if the field holds
// objects of the module and no test of the module sets it.
func (r *inputReader) tamper(sel *ast.SelectorExpr) {
	v := r.variable(sel.X)
	if v == nil || !r.results[v] || r.code.written[sel.Sel.Name] {
		return
	}
	if r.overwritten == nil {
		r.overwritten = map[string]string{}
	}
	r.overwritten[sel.Sel.Name] = types.ExprString(sel)
	if r.tampered != "" {
		return
	}
	t := r.info.TypeOf(sel)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		t = u.Elem()
	case *types.Map:
		t = u.Elem()
	}
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil && within(n.Obj().Pkg().Path(), r.module) {
		switch n.Underlying().(type) {
		case *types.Struct, *types.Interface, *types.Slice, *types.Map:
			r.tampered = types.ExprString(sel)
		}
	}
}
