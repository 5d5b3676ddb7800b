package record

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// input is a receiver or parameter: its name in the rewritten source, and in the document.
type input struct {
	ident, name string
	obj         types.Object // nil if it has no name
}

// named returns the inputs of a receiver or parameter list. It gives names to those without.
func (w *rewriter) named(list *ast.FieldList) []input {
	var out []input
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		if len(field.Names) == 0 {
			ident := fmt.Sprintf("_dsd_p%d", int(field.Pos()-list.Pos()))
			w.e.Insert(w.offset(field.Type.Pos()), ident+" ")
			out = append(out, input{ident, "_", nil})
		}
		for _, id := range field.Names {
			if id.Name == "_" {
				ident := fmt.Sprintf("_dsd_p%d", int(id.Pos()-list.Pos()))
				w.e.Replace(w.offset(id.Pos()), w.offset(id.End()), ident)
				out = append(out, input{ident, "_", nil})
				continue
			}
			out = append(out, input{id.Name, id.Name, w.pkg.Info.Defs[id]})
		}
	}
	return out
}

// typeArguments returns an expression for the type arguments of a function, for the runtime, and
// reports whether the function is generic. The expression is "nil" if the function is not generic
// or one of its type parameters is blank.
func typeArguments(fd *ast.FuncDecl) (text string, generic bool) {
	var names []string
	if fd.Recv != nil {
		names = receiverTypeParams(fd.Recv.List[0].Type)
	}
	if fd.Type.TypeParams != nil {
		for _, field := range fd.Type.TypeParams.List {
			for _, id := range field.Names {
				names = append(names, id.Name)
			}
		}
	}
	if len(names) == 0 || slices.Contains(names, "_") {
		return "nil", len(names) > 0
	}
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s.TypeOf[%s]()", rtName, name))
	}
	return rtName + ".Types(" + strings.Join(list, ", ") + ")", true
}

// receiverTypeParams returns the names of the type parameters of a receiver's type.
func receiverTypeParams(t ast.Expr) []string {
	if p, ok := ast.Unparen(t).(*ast.StarExpr); ok {
		t = p.X
	}
	var list []ast.Expr
	switch t := ast.Unparen(t).(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		list = t.Indices
	}
	var out []string
	for _, x := range list {
		if id, ok := x.(*ast.Ident); ok {
			out = append(out, id.Name)
		}
	}
	return out
}

// parameterExprs returns the type expressions of the receiver and of each parameter.
func parameterExprs(fd *ast.FuncDecl) (out []ast.Expr) {
	var list []*ast.Field
	if fd.Recv != nil {
		list = append(list, fd.Recv.List...)
	}
	for _, field := range append(list, fd.Type.Params.List...) {
		for range max(len(field.Names), 1) {
			out = append(out, field.Type)
		}
	}
	return out
}

// parameterTypes returns the types of the receiver and the parameters, as the file writes them.
func (w *rewriter) parameterTypes(fd *ast.FuncDecl) []string {
	var out []string
	for _, x := range parameterExprs(fd) {
		prefix := ""
		if v, ok := x.(*ast.Ellipsis); ok {
			x, prefix = v.Elt, "[]"
		}
		out = append(out, prefix+string(w.src[w.offset(x.Pos()):w.offset(x.End())]))
	}
	return out
}

// changes reports whether a body may assign to a variable or take its address, so that the variable
// must be copied on entry. Others need no copy, since they keep their value.
func (w *rewriter) changes(body *ast.BlockStmt, v types.Object) bool {
	found := false
	is := func(x ast.Expr) bool {
		id, ok := root(x).(*ast.Ident)
		return ok && w.pkg.Info.Uses[id] == v
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || is(x)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SliceExpr: // of an array
			found = found || is(n.X)
		case *ast.SelectorExpr: // a method of the address
			if s := w.pkg.Info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				found = found || is(n.X)
			}
		}
		return !found
	})
	return found
}

// root returns the variable that an expression denotes a part of: x for x.f[i].
func root(x ast.Expr) ast.Expr {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		default:
			return y
		}
	}
}
