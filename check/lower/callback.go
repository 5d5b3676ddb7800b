package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/source"
)

// callbacks emits calls of the functions that a function outside of the testee gets, and that no
// model describes calls of: it may call them.
func (em *emitter) callbacks(f *types.Func, args []Value, pos token.Pos) {
	model := em.w.modelOf(f)
	for _, a := range args {
		if _, ok := a.Type.Underlying().(*types.Signature); ok && !callsArguments(model) {
			em.callback(a, em.indexed(f, args), pos)
		}
	}
}

// callback emits a call of a function value that code outside of the function may make later, with
// unknown arguments. If length is not nil, integer arguments are between 0 and length-1. Pointers and
// other references are not nil, except errors.
func (em *emitter) callback(fn Value, length *logic.Term, pos token.Pos) {
	if k, ok := fn.Leaves[0].Const(); ok && k == 0 || em.cur == nil {
		return
	}
	sig := fn.Type.Underlying().(*types.Signature)
	c := &ir.Call{Pos: pos, Fn: fn.Leaves[0], Env: fn.Leaves[1], Sig: sig, Callback: true}
	var given []*logic.Term
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		v := em.unknown("argument", "what others call a function with", t)
		switch t.Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Chan, *types.Signature, *types.Interface:
			if !types.Identical(t, types.Universe.Lookup("error").Type()) {
				given = append(given, em.b.Not(em.b.Eq(v.Leaves[0], em.zeroLeaf(v.Leaves[0].Sort))))
			}
		case *types.Basic:
			if length != nil {
				i := em.toInt(v)
				given = append(given, em.b.Cmp(logic.OpSLe, em.int(0), i),
					em.b.Cmp(logic.OpSLt, i, length))
			}
		}
		c.Args = append(c.Args, v.Leaves...)
	}
	c.Given = em.b.And(given...)
	em.emit(c)
}

// indexed returns the length of the slice of whose indices a function of the standard library calls
// the function that it gets; nil for other functions.
func (em *emitter) indexed(f *types.Func, args []Value) *logic.Term {
	switch source.FuncName(f) {
	case "sort.Slice", "sort.SliceStable", "sort.SliceIsSorted":
		if tag, ok := args[0].Leaves[0].Const(); ok {
			if t := em.w.TagType(uint32(tag)); t != nil {
				if _, ok := t.Underlying().(*types.Slice); ok {
					return em.fromInterface(args[0], t).Leaves[2]
				}
			}
		}
	}
	return nil
}

// callsArguments reports whether a model calls functions that it gets.
func callsArguments(model *source.Func) bool {
	if model == nil {
		return false
	}
	calls := false
	ast.Inspect(model.Decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok {
				v, isVar := model.Pkg.Info.Uses[id].(*types.Var)
				calls = calls || isVar && v.Parent() != v.Pkg().Scope()
			}
		}
		return !calls
	})
	return calls
}

// isStaticMethod reports whether fun selects the method of a type that is no interface.
func (sx *syntax) isStaticMethod(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := sx.pkg.Info.Selections[sel]
	return s != nil && s.Kind() == types.MethodVal && !types.IsInterface(s.Recv())
}

// escaping returns the function literals in a body that others may call later: those that are
// returned, parts of other values, stored outside of local variables, or arguments of calls through
// function values and interfaces.
func (sx *syntax) escaping(body *ast.BlockStmt) map[*ast.FuncLit]bool {
	out := map[*ast.FuncLit]bool{}
	mark := func(list ...ast.Expr) {
		for _, e := range list {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
				out[lit] = true
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			mark(n.Results...)
		case *ast.CompositeLit:
			mark(n.Elts...)
		case *ast.SendStmt:
			mark(n.Value)
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if v := rootVar(sx.pkg.Info, x); len(n.Lhs) == len(n.Rhs) && (v == nil || !isLocal(v)) {
					mark(n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if fun := ast.Unparen(n.Fun); sx.staticCallee(fun) == nil && !sx.isStaticMethod(fun) {
				mark(n.Args...)
			}
		}
		return true
	})
	return out
}
