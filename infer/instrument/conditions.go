package instrument

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"dsd/internal/expr"
	"dsd/internal/source"
	"dsd/schemas"
)

// maxConditions is the number of conditions of a function's source that divide its samples.
const maxConditions = 4

// conditionsOf returns the conditions of the if statements and tagless switches of a body, each
// once, with constants as their values. Samples are divided by them [DAIKON: splitters].
func conditionsOf(pkg *source.Package, body *ast.BlockStmt) []expr.Expr {
	var out []expr.Expr
	seen := map[string]bool{}
	add := func(e ast.Expr) {
		for _, part := range conjuncts(e) {
			if c := condition(pkg.Info, part); c != nil && !seen[c.String()] {
				seen[c.String()] = true
				out = append(out, c)
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			add(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						add(e)
					}
				}
			}
		}
		return true
	})
	return out
}

// conjuncts returns the operands of nested && and ||.
func conjuncts(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{e}
}

// condition returns a comparison of paths, lengths and constants, or a path that is a bool, as an
// expression of invariants; nil for any other condition.
func condition(info *types.Info, e ast.Expr) expr.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		x, y := operand(info, e.X), operand(info, e.Y)
		if expr.IsComparison(e.Op) && x != nil && y != nil {
			return &expr.Binary{Op: e.Op, X: x, Y: y}
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return condition(info, e.X) // both divide the samples alike
		}
	case *ast.Ident, *ast.SelectorExpr:
		if t := info.TypeOf(e); t != nil && types.Identical(t.Underlying(), types.Typ[types.Bool]) {
			return operand(info, e)
		}
	}
	return nil
}

// maxConstant is the length of the longest constant, as a literal, that a condition may have.
const maxConstant = 32

// operand returns an operand of a condition; nil if it is none of those that condition takes.
func operand(info *types.Info, e ast.Expr) expr.Expr {
	e = ast.Unparen(e)
	if v := info.Types[e].Value; v != nil {
		text := v.ExactString()
		if k := v.Kind(); (k == constant.Int || k == constant.String) && len(text) <= maxConstant {
			return expr.Literal(text)
		}
		return nil
	}
	switch e := e.(type) {
	case *ast.Ident:
		return expr.Var(e.Name)
	case *ast.SelectorExpr:
		if x := operand(info, e.X); x != nil {
			return &expr.Sel{X: x, Field: e.Sel.Name}
		}
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok || len(e.Args) != 1 || !info.Types[e.Fun].IsBuiltin() {
			return nil
		}
		if x := operand(info, e.Args[0]); x != nil && (id.Name == "len" || id.Name == "cap") {
			return expr.Apply(id.Name, x)
		}
	case *ast.BinaryExpr:
		x, y := operand(info, e.X), operand(info, e.Y)
		if (e.Op == token.ADD || e.Op == token.SUB) && x != nil && y != nil {
			return &expr.Binary{Op: e.Op, X: x, Y: y}
		}
	}
	return nil
}

// splitters returns the first conditions that compare variables of a point only: as text over the
// variables of an entry, and over those of an exit. isOld reports whether an exit declares a
// variable under its name at the entry, old(name).
func splitters(
	conditions []expr.Expr, vars []schemas.TraceVar, isOld func(schemas.TraceVar) bool,
) (entry, exit []string) {
	declared := map[string]schemas.TraceVar{}
	for _, v := range vars {
		if _, ok := declared[v.Name]; !ok {
			declared[v.Name] = v
		}
	}
	for _, c := range conditions {
		if len(entry) == maxConditions {
			break
		}
		if after, ok := atExit(c, declared, isOld); ok && len(expr.Free(c)) > 0 {
			entry, exit = append(entry, c.String()), append(exit, after.String())
		}
	}
	return entry, exit
}

// atExit returns e over the variables of an exit; ok is false if it has a variable that is not
// declared.
func atExit(
	e expr.Expr, declared map[string]schemas.TraceVar, isOld func(schemas.TraceVar) bool,
) (after expr.Expr, ok bool) {
	if v, ok := declared[e.String()]; ok {
		if isOld(v) {
			return &expr.Old{X: e}, true
		}
		return e, true
	}
	switch e := e.(type) {
	case *expr.Const:
		return e, true
	case *expr.Unary:
		x, ok := atExit(e.X, declared, isOld)
		return &expr.Unary{Op: e.Op, X: x}, ok
	case *expr.Binary:
		x, okX := atExit(e.X, declared, isOld)
		y, okY := atExit(e.Y, declared, isOld)
		return &expr.Binary{Op: e.Op, X: x, Y: y}, okX && okY
	}
	return nil, false
}

// cappedIn returns the slices, as written, whose capacity a body uses.
func cappedIn(body *ast.BlockStmt) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "cap" && len(call.Args) == 1 {
				out[types.ExprString(call.Args[0])] = true
			}
		}
		return true
	})
	return out
}

// keysIn returns the pairs of a map and a key among the inputs of a function that its body indexes
// as m[k]. If the body locks anything it returns none: before that, other goroutines may be
// writing the map.
func keysIn(pkg *source.Package, body *ast.BlockStmt, ins []input) (out [][2]input) {
	of := map[string]input{}
	for _, in := range ins {
		of[in.ident] = in
	}
	locks := false
	seen := map[string]bool{}
	find := func(e ast.Expr) (input, bool) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return input{}, false
		}
		in, ok := of[id.Name]
		v, isVar := pkg.Info.Uses[id].(*types.Var)
		isInput := isVar && types.Identical(v.Type(), in.typ) &&
			v.Parent() == pkg.Info.Scopes[funcTypeOf(pkg, body)]
		return in, ok && isInput
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			locks = locks || strings.HasSuffix(n.Sel.Name, "Lock")
		case *ast.IndexExpr:
			m, okM := find(n.X)
			k, okK := find(n.Index)
			if !okM || !okK || seen[m.ident+" "+k.ident] {
				return true
			}
			_, isMap := m.typ.Underlying().(*types.Map)
			_, isBasic := k.typ.Underlying().(*types.Basic)
			if isMap && isBasic {
				seen[m.ident+" "+k.ident] = true
				out = append(out, [2]input{m, k})
			}
		}
		return true
	})
	if locks {
		return nil
	}
	return out
}
