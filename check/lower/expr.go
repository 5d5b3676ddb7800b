package lower

import (
	"fmt"
	"go/ast"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// exprTo evaluates e and converts it to type t as an assignment does.
func (l *lowerer) exprTo(e ast.Expr, t types.Type) Value {
	if tv := l.pkg.Info.Types[e]; tv.Value != nil && !types.IsInterface(t) {
		return l.constant(tv.Value, t)
	}
	if l.isNil(e) {
		return l.zero(t)
	}
	return l.assignable(l.expr(e), t)
}

// expr evaluates an expression with one value.
func (l *lowerer) expr(e ast.Expr) Value {
	if v, ok := l.given[e]; ok {
		return v
	}
	t := l.typeOf(e)
	if tv := l.pkg.Info.Types[e]; tv.Value != nil {
		return l.constant(tv.Value, types.Default(t))
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.expr(e.X)

	case *ast.Ident:
		return l.ident(e, t)

	case *ast.BasicLit:
		panic(fmt.Sprintf("lower: the literal %s is not a constant", e.Value))

	case *ast.FuncLit:
		return l.funcLit(e, t)

	case *ast.CompositeLit:
		return l.compositeLit(e, t)

	case *ast.SelectorExpr:
		return l.selector(e, t)

	case *ast.IndexExpr:
		return l.index(e, t)

	case *ast.IndexListExpr:
		return l.funcValue(e, t)

	case *ast.SliceExpr:
		return l.slice(e, t)

	case *ast.TypeAssertExpr:
		v, _ := l.typeAssert(e, false)
		return v

	case *ast.CallExpr:
		vals := l.call(e)
		if len(vals) != 1 {
			panic(unsupportedf("a call with %d results as a value", len(vals)))
		}
		return vals[0]

	case *ast.StarExpr:
		if v, ok := l.reinterpret(e, t); ok {
			return v
		}
		return l.load(l.deref(l.expr(e.X), e.Pos()))

	case *ast.UnaryExpr:
		return l.unary(e, t)

	case *ast.BinaryExpr:
		return l.binary(e, t)

	default:
		panic(unsupportedf("%T", e))
	}
}

// exprs evaluates an expression that may be a call with any number of results.
func (l *lowerer) exprs(e ast.Expr) []Value {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if _, ok := l.typeOf(c).(*types.Tuple); ok {
			return l.call(c)
		}
	}
	return []Value{l.expr(e)}
}

// ident evaluates an identifier of type t.
func (l *lowerer) ident(e *ast.Ident, t types.Type) Value {
	switch o := l.pkg.Info.ObjectOf(e).(type) {
	case *types.Var:
		return l.load(l.varLocation(o))
	case *types.Func:
		return l.funcValue(e, t)
	case *types.Nil:
		return l.zero(t)
	}
	panic(unsupportedf("the name %s", e.Name))
}

// typeAssert lowers x.(T), and returns the value and whether x holds a T. Without commaOK, it
// asserts that x does; with it, the value is zero if x does not.
func (l *lowerer) typeAssert(e *ast.TypeAssertExpr, commaOK bool) (Value, *logic.Term) {
	x := l.snapshot(l.expr(e.X))
	t := l.typeOf(e.Type)
	ok := l.temp(l.hasType(x, t))
	if !commaOK {
		l.assert(ok, schemas.TypeAssert, compilerPos(e.X), "%s does not hold %s",
			types.ExprString(e.X), types.TypeString(t, types.RelativeTo(l.pkg.Types)))
	}
	var v Value
	if types.IsInterface(t) {
		v = Value{t, x.Leaves}
	} else {
		v = l.fromInterface(x, t)
	}
	if commaOK {
		v = l.choose(ok, v, l.zero(t))
	}
	return v, ok
}
