package lower

import (
	"go/ast"
	"go/types"

	"dsd/internal/expr"
)

// result returns the value of a call of a method without parameters in an invariant, r.Len(), from
// the method's body: a return of an operand, perhaps after others under conditions. The invariant
// says nothing where the body reads through a nil pointer.
func (c *ContractBuilder) result(e *expr.Suffix) Value {
	sel, ok := e.X.(*expr.Sel)
	if !ok || e.Text != "()" {
		panic(unsupportedf("the operand %s", e))
	}
	recv := c.value(sel.X, nil)
	obj, _, _ := types.LookupFieldOrMethod(recv.Type, true, c.pkg, sel.Field)
	fn, ok := obj.(*types.Func)
	if !ok {
		panic(unsupportedf("the method %s", e))
	}
	f := c.w.decls[fn.Origin()]
	if f == nil || f.Decl.Body == nil || !types.Identical(fn.Signature().Recv().Type(), recv.Type) {
		panic(unsupportedf("the method %s", e))
	}
	names, pkg := c.names, c.pkg
	defer func() { c.names, c.pkg = names, pkg }()
	c.names, c.pkg = map[string]Value{fn.Signature().Recv().Name(): recv}, fn.Pkg()
	return c.returned(f.Decl.Body.List, fn.Signature().Results().At(0).Type())
}

// returned returns the value of type t that statements return.
func (c *ContractBuilder) returned(list []ast.Stmt, t types.Type) Value {
	if len(list) == 0 {
		panic(unsupportedf("a method without a return at its end"))
	}
	switch s := list[0].(type) {
	case *ast.ReturnStmt:
		return c.value(c.parse(s.Results[0]), t)
	case *ast.IfStmt:
		if s.Init != nil || s.Else != nil {
			break
		}
		cond := c.cond(c.parse(s.Cond))
		yes, no := c.returned(s.Body.List, t), c.returned(list[1:], t)
		out := Value{Type: t}
		for i := range yes.Leaves {
			out.Leaves = append(out.Leaves, c.l.b.Ite(cond, yes.Leaves[i], no.Leaves[i]))
		}
		return out
	}
	panic(unsupportedf("the statement %T of a method", list[0]))
}

// parse returns an operand or condition of the source in the language of invariants.
func (c *ContractBuilder) parse(e ast.Expr) expr.Expr {
	out, err := expr.Parse(types.ExprString(e))
	if err != nil {
		panic(unsupportedf("the operand %s of a method", types.ExprString(e)))
	}
	return out
}
