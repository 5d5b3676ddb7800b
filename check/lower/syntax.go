package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/internal/source"
)

// syntax answers questions about the type-checked syntax of the function being lowered, with type
// arguments in place of type parameters.
type syntax struct {
	types *typeTable
	pkg   *source.Package
	inst  instance
}

// Values.

func (sx *syntax) typ(t types.Type) types.Type { return sx.types.apply(t, sx.inst) }

func (sx *syntax) typeOf(e ast.Expr) types.Type {
	t := sx.pkg.Info.TypeOf(e)
	if t == nil {
		panic(unsupportedf("an expression without a type (cgo?)"))
	}
	return sx.typ(t)
}

func (sx *syntax) isNil(e ast.Expr) bool {
	return sx.pkg.Info.Types[e].IsNil()
}

// builtinOf is the builtin function that fun names, or nil.
func (sx *syntax) builtinOf(fun ast.Expr) *types.Builtin {
	switch f := fun.(type) {
	case *ast.Ident:
		b, _ := sx.pkg.Info.Uses[f].(*types.Builtin)
		return b
	case *ast.SelectorExpr: // unsafe.Sizeof
		b, _ := sx.pkg.Info.Uses[f.Sel].(*types.Builtin)
		return b
	}
	return nil
}

// staticCallee is the declared function that fun names, or nil.
func (sx *syntax) staticCallee(fun ast.Expr) *types.Func {
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ := sx.pkg.Info.Uses[f].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		if sx.pkg.Info.Selections[f] == nil {
			fn, _ := sx.pkg.Info.Uses[f.Sel].(*types.Func)
			return fn
		}
	case *ast.IndexExpr:
		return sx.staticCallee(ast.Unparen(f.X))
	case *ast.IndexListExpr:
		return sx.staticCallee(ast.Unparen(f.X))
	}
	return nil
}

// typeArgs are the type arguments of the generic function that fun names.
func (sx *syntax) typeArgs(fun ast.Expr) []types.Type {
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		return sx.typeArgs(ast.Unparen(f.X))
	case *ast.IndexListExpr:
		return sx.typeArgs(ast.Unparen(f.X))
	}
	var out []types.Type
	if list := sx.pkg.Info.Instances[id].TypeArgs; list != nil {
		for i := range list.Len() {
			out = append(out, sx.typ(list.At(i)))
		}
	}
	return out
}

// conversionOf takes a conversion apart into its type and its operand; nil if e is none.
func (sx *syntax) conversionOf(e ast.Expr) (t, x ast.Expr) {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(c.Args) == 1 && sx.pkg.Info.Types[c.Fun].IsType() {
		return c.Fun, c.Args[0]
	}
	return nil, nil
}

// operandType is the type in which the operands of a comparison are compared.
func (sx *syntax) operandType(e *ast.BinaryExpr) types.Type {
	x, y := sx.typeOf(e.X), sx.typeOf(e.Y)
	if b, ok := x.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		if b, ok := y.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			return types.Default(x)
		}
		return y
	}
	return x
}

// pure says that evaluating e emits no command, so that it does not matter whether it is evaluated.
func (sx *syntax) pure(e ast.Expr) bool {
	if sx.pkg.Info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return sx.pure(e.X)
	case *ast.Ident:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.NOT && sx.pure(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			t := sx.operandType(e)
			u, ok := t.Underlying().(*types.Basic)
			return sx.pure(e.X) && sx.pure(e.Y) && (ok && u.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) != 0 || sx.isNil(e.X) || sx.isNil(e.Y))
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR:
			u, ok := sx.typeOf(e).Underlying().(*types.Basic)
			return ok && u.Info()&(types.IsInteger|types.IsFloat) != 0 && sx.pure(e.X) && sx.pure(e.Y)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && len(e.Args) == 1 {
			if b, ok := sx.pkg.Info.Uses[id].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				switch sx.typeOf(e.Args[0]).Underlying().(type) {
				case *types.Slice, *types.Basic:
					return sx.pure(e.Args[0])
				}
			}
		}
	}
	return false
}

// isVariable says that e denotes a variable rather than a value made on the spot.
func (sx *syntax) isVariable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		if sx.pkg.Info.Selections[e] == nil {
			return true
		}
		return pointee(sx.typeOf(e.X)) != nil || sx.isVariable(e.X)
	case *ast.IndexExpr:
		switch sx.typeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return sx.isVariable(e.X)
		}
	}
	return false
}

// constantString is the value of a string literal or constant.
func (sx *syntax) constantString(e ast.Expr) string {
	return constant.StringVal(sx.pkg.Info.Types[e].Value)
}

func (sx *syntax) sharesLoopVars(n ast.Node) bool {
	for _, f := range sx.pkg.Files {
		if f.FileStart <= n.Pos() && n.Pos() < f.FileEnd {
			v := sx.pkg.Info.FileVersions[f]
			return v != "" && olderThan(v, 22)
		}
	}
	return false
}

func olderThan(version string, minor int) bool {
	n := 0
	if _, err := fmt.Sscanf(version, "go1.%d", &n); err != nil {
		return false
	}
	return n < minor
}

// addressTaken finds the variables that body takes the address of, or that its function literals capture.
func (sx *syntax) addressTaken(body *ast.BlockStmt, sig *types.Signature) map[types.Object]bool {
	out := map[types.Object]bool{}
	var root func(e ast.Expr) types.Object
	root = func(e ast.Expr) types.Object {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			return sx.pkg.Info.ObjectOf(e)
		case *ast.SelectorExpr:
			if t := sx.pkg.Info.TypeOf(e.X); t != nil {
				if _, ok := t.Underlying().(*types.Pointer); !ok {
					return root(e.X)
				}
			}
		case *ast.IndexExpr:
			if t := sx.pkg.Info.TypeOf(e.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					return root(e.X)
				}
			}
		}
		return nil
	}
	mark := func(e ast.Expr) {
		if o := root(e); o != nil {
			out[o] = true
		}
	}
	captures := func(body ast.Node, from, to token.Pos) {
		ast.Inspect(body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := sx.pkg.Info.Uses[id].(*types.Var); ok && !v.IsField() && (v.Pos() < from || v.Pos() >= to) && v.Parent() != nil && v.Parent() != v.Pkg().Scope() {
					out[v] = true
				}
			}
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X)
			}
		case *ast.SliceExpr:
			if t := sx.pkg.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					mark(n.X)
				}
			}
		case *ast.IndexExpr: // an array's element is addressed by number
			if t := sx.pkg.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					mark(n.X)
				}
			}
		case *ast.RangeStmt:
			if t := sx.pkg.Info.TypeOf(n.X); t != nil {
				switch sx.typ(t).Underlying().(type) {
				case *types.Array:
					mark(n.X)
				case *types.Signature: // the body is a function, which stores the results if it returns
					for _, part := range []ast.Node{n.Key, n.Value, n.Body} {
						if part != nil {
							captures(part, n.Pos(), n.End())
						}
					}
					for i := range sig.Results().Len() {
						out[sig.Results().At(i)] = true
					}
				}
			}
		case *ast.SelectorExpr:
			s := sx.pkg.Info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal {
				break
			}
			// A method that wants a pointer takes the address of what is none.
			_, ptr := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if ptr && pointee(sx.typeOf(n.X)) == nil {
				mark(n.X)
			}
		case *ast.FuncLit:
			captures(n.Body, n.Pos(), n.End())
		}
		return true
	})
	return out
}

// gotoTargets finds the labels that goto statements of a body name.
func (sx *syntax) gotoTargets(body *ast.BlockStmt) map[types.Object]bool {
	out := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.BranchStmt); ok && s.Tok == token.GOTO {
			out[sx.pkg.Info.Uses[s.Label]] = true
		}
		return true
	})
	return out
}

// callsRecover says that a body calls recover, function literals in it aside.
func callsRecover(info *types.Info, body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if b, ok := info.Uses[n].(*types.Builtin); ok && b.Name() == "recover" {
				found = true
			}
		}
		return !found
	})
	return found
}

// defers says that a body has defer statements of its own.
func defers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}
