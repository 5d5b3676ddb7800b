package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/internal/source"
)

// syntax answers questions about the type-checked syntax of the function being lowered. The types
// that it returns have type arguments in place of type parameters. It emits nothing.
type syntax struct {
	types *typeTable
	pkg   *source.Package
	inst  instance
	// given holds the values of expressions that are evaluated already.
	given map[ast.Expr]Value
}

// typ replaces the type parameters of the function in t.
func (sx *syntax) typ(t types.Type) types.Type { return sx.types.apply(t, sx.inst) }

// typeOf returns the type of an expression.
func (sx *syntax) typeOf(e ast.Expr) types.Type {
	if v, ok := sx.given[e]; ok {
		return v.Type
	}
	t := sx.pkg.Info.TypeOf(e)
	if t == nil {
		panic(sx.notProcessed())
	}
	if t == types.Typ[types.Invalid] {
		panic(sx.notProcessed())
	}
	return sx.typ(t)
}

// isNil reports whether e is the predeclared nil.
func (sx *syntax) isNil(e ast.Expr) bool {
	return sx.pkg.Info.Types[e].IsNil()
}

// builtinOf returns the builtin function that fun names, or nil.
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

// staticCallee returns the declared function that fun names, or nil. It does not find methods.
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

// typeArgs returns the type arguments of the generic function that fun names.
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

// conversionOf returns the type and the operand of a conversion, or nil if e is not a conversion.
func (sx *syntax) conversionOf(e ast.Expr) (t, x ast.Expr) {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && len(c.Args) == 1 && sx.pkg.Info.Types[c.Fun].IsType() {
		return c.Fun, c.Args[0]
	}
	return nil, nil
}

// operandType returns the type in which the operands of a comparison are compared.
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

// pure reports whether evaluating e emits no command. Then it does not matter whether it is
// evaluated. It errs on the side of false.
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
		case token.LAND, token.LOR, token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL,
			token.NEQ:
			u, ok := sx.operandType(e).Underlying().(*types.Basic)
			scalar := ok &&
				u.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) != 0
			return sx.pure(e.X) && sx.pure(e.Y) &&
				(scalar || sx.isNil(e.X) || sx.isNil(e.Y))
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR:
			u, ok := sx.typeOf(e).Underlying().(*types.Basic)
			scalar := ok && u.Info()&(types.IsInteger|types.IsFloat) != 0
			return scalar && sx.pure(e.X) && sx.pure(e.Y)
		}
	case *ast.CallExpr:
		b := sx.builtinOf(ast.Unparen(e.Fun))
		if b == nil || b.Name() != "len" && b.Name() != "cap" {
			break
		}
		switch sx.typeOf(e.Args[0]).Underlying().(type) {
		case *types.Slice, *types.Basic:
			return sx.pure(e.Args[0])
		}
	}
	return false
}

// isVariable reports whether e denotes a variable or a part of one, rather than a computed value.
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

// constantString returns the value of a string constant.
func (sx *syntax) constantString(e ast.Expr) string {
	return constant.StringVal(sx.pkg.Info.Types[e].Value)
}

// sharesLoopVars reports whether all iterations of the for statement n share its variables, as
// before Go 1.22.
func (sx *syntax) sharesLoopVars(n ast.Node) bool {
	for _, f := range sx.pkg.Files {
		if f.FileStart <= n.Pos() && n.Pos() < f.FileEnd {
			v := sx.pkg.Info.FileVersions[f]
			return v != "" && olderThan(v, 22)
		}
	}
	return false
}

// olderThan reports whether a Go version such as "go1.21" is older than 1.minor.
func olderThan(version string, minor int) bool {
	n := 0
	if _, err := fmt.Sscanf(version, "go1.%d", &n); err != nil {
		return false
	}
	return n < minor
}

// callsRecover reports whether body calls recover, not counting its function literals.
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

// defers reports whether body has defer statements, not counting its function literals.
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
