package carve

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Functions that test files declare, which tests call to do what several of them do.

// maxHelpers is the depth of calls of helpers that are followed.
const maxHelpers = 3

// unknown is what nothing is known of.
var unknown = binding{result: -1}

// helper follows the body of a function of the test files in place of its call, and returns the
// bindings of its results. It reports false if the call is not of such a function.
func (w *walker) helper(x *ast.CallExpr) ([]binding, bool) {
	fn, recv := w.callee(x)
	fd := w.c.helpers[fn]
	if fn == nil || fd == nil || len(w.inside) >= maxHelpers || slices.Contains(w.inside, fd) {
		return nil, false
	}
	if recv != nil && fd.Recv != nil && len(fd.Recv.List) == 1 {
		w.parameters(fd.Recv.List, []ast.Expr{recv}, false)
	}
	w.parameters(fd.Type.Params.List, x.Args, fn.Signature().Variadic() && !x.Ellipsis.IsValid())
	w.inside = append(w.inside, fd)
	w.returned = nil
	w.block(fd.Body.List)
	out := w.returned
	w.returned = nil
	w.inside = w.inside[:len(w.inside)-1]
	return out, true
}

// parameters binds parameters to arguments. The last one of a variadic function stays unknown.
func (w *walker) parameters(fields []*ast.Field, args []ast.Expr, variadic bool) {
	i := 0
	for k, f := range fields {
		for _, name := range f.Names {
			if i < len(args) && !(variadic && k == len(fields)-1) {
				w.bind(name, w.argument(args[i], w.c.info.TypeOf(f.Type)))
			}
			i++
		}
		if len(f.Names) == 0 {
			i++
		}
	}
}

// argument returns what an argument of type t stands for.
func (w *walker) argument(x ast.Expr, t types.Type) binding {
	if b, ok := w.env[w.c.info.ObjectOf(identOf(x))]; ok {
		return b
	}
	// A constant, a table of cases, or a row of one.
	if w.constant(x) != nil || w.composite(x) != nil {
		return binding{expr: x}
	}
	if r, ok := w.value(x, t); ok {
		return binding{result: r}
	}
	return unknown
}

// constant returns the value of an expression of constants, and of variables that stand for some; nil if
// it is none.
func (w *walker) constant(x ast.Expr) constant.Value {
	if v := w.c.info.Types[x].Value; v != nil {
		return v
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if b, ok := w.env[w.c.info.ObjectOf(x)]; ok && b.expr != nil {
			return w.constant(b.expr)
		}

	case *ast.SelectorExpr:
		if f := w.rowField(x); f != nil {
			return w.constant(f)
		}

	case *ast.BinaryExpr:
		l, r := w.constant(x.X), w.constant(x.Y)
		if l != nil && r != nil && x.Op == token.ADD && l.Kind() == r.Kind() && l.Kind() == constant.String {
			return constant.BinaryOp(l, x.Op, r)
		}
	}
	return nil
}

// identOf returns the identifier that an expression is; otherwise one that names nothing.
func identOf(x ast.Expr) *ast.Ident {
	if id, ok := x.(*ast.Ident); ok {
		return id
	}
	return ast.NewIdent("_")
}

// bind lets a variable, or a field, stand for something.
func (w *walker) bind(x ast.Expr, b binding) {
	if b.expr == nil && b.result >= 0 {
		w.store(x, b.result)
		return
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return
	}
	if obj := w.c.info.ObjectOf(id); obj != nil {
		if b == unknown {
			delete(w.env, obj)
		} else {
			w.env[obj] = b
		}
	}
}

// returns follows a return statement. In a helper, it notes what is returned: the last one counts, as
// tests return early where something is wrong.
func (w *walker) returns(s *ast.ReturnStmt) {
	var list []binding
	for _, x := range s.Results {
		if len(w.inside) == 0 || len(s.Results) == 1 && isTuple(w.c.info.TypeOf(x)) {
			w.callsIn(x)
			continue
		}
		list = append(list, w.argument(x, w.c.info.TypeOf(x)))
	}
	w.returned = list
}

// isTuple reports whether a type is that of a call with several results.
func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}
