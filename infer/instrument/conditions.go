package instrument

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"dsd/internal/source"
	"dsd/schemas"
)

// maxConditions is how many conditions of a function's source are told of a point.
const maxConditions = 4

// conditionsOf are what the if and for statements of a body ask of the values that the function was called with: each is text once constants are
// written as their values. They are what its samples are divided by [DAIKON: splitters].
func conditionsOf(pkg *source.Package, body *ast.BlockStmt) []string {
	var out []string
	add := func(e ast.Expr) {
		for _, part := range conjuncts(e) {
			if text, ok := conditionText(pkg.Info, part); ok && !slices.Contains(out, text) {
				out = append(out, text)
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

// conjuncts are the parts of a && b and a || b.
func conjuncts(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{e}
}

// conditionText writes a comparison of paths, lengths and constants; ok is false for any other expression.
func conditionText(info *types.Info, e ast.Expr) (text string, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			x, okX := operandText(info, e.X)
			y, okY := operandText(info, e.Y)
			return x + " " + e.Op.String() + " " + y, okX && okY
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return conditionText(info, e.X) // what it asks is the same
		}
	case *ast.Ident, *ast.SelectorExpr:
		if t := info.TypeOf(e); t != nil && types.Identical(t.Underlying(), types.Typ[types.Bool]) {
			return operandText(info, e)
		}
	}
	return "", false
}

func operandText(info *types.Info, e ast.Expr) (string, bool) {
	e = ast.Unparen(e)
	if v := info.Types[e].Value; v != nil {
		switch v.Kind() {
		case constant.Int, constant.String:
			if text := v.ExactString(); len(text) <= 32 {
				return text, true
			}
		}
		return "", false
	}
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name, true
	case *ast.SelectorExpr:
		x, ok := operandText(info, e.X)
		return x + "." + e.Sel.Name, ok
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && (id.Name == "len" || id.Name == "cap") && info.Types[e.Fun].IsBuiltin() {
			x, ok := operandText(info, e.Args[0])
			return id.Name + "(" + x + ")", ok
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD || e.Op == token.SUB {
			x, okX := operandText(info, e.X)
			y, okY := operandText(info, e.Y)
			return x + " " + e.Op.String() + " " + y, okX && okY
		}
	}
	return "", false
}

// told are those conditions that the variables of a point tell, the first few; before are the names that an exit has as old(name).
func told(conditions []string, vars []schemas.TraceVar, before func(schemas.TraceVar) bool) (entry, exit []string) {
	of := map[string]schemas.TraceVar{}
	for _, v := range vars {
		if _, ok := of[v.Name]; !ok {
			of[v.Name] = v
		}
	}
	for _, text := range conditions {
		e, err := parser.ParseExpr(text)
		if err != nil || len(entry) == maxConditions {
			continue
		}
		ok := true
		var write func(e ast.Expr) string
		write = func(e ast.Expr) string {
			name := types.ExprString(e)
			if v, there := of[name]; there {
				if before(v) {
					return "old(" + name + ")"
				}
				return name
			}
			switch e := e.(type) {
			case *ast.BasicLit:
				return name
			case *ast.Ident:
				if e.Name == "nil" {
					return name
				}
			case *ast.UnaryExpr:
				return e.Op.String() + write(e.X)
			case *ast.BinaryExpr:
				return fmt.Sprintf("%s %s %s", write(e.X), e.Op, write(e.Y))
			}
			ok = false
			return name
		}
		if after := write(e); ok && strings.ContainsFunc(text, func(r rune) bool { return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
			entry, exit = append(entry, text), append(exit, after)
		}
	}
	return entry, exit
}

// cappedIn are the slices, as they are written, of which a body asks the capacity.
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

// keysIn are the maps and keys among the inputs of a function of which its body says m[k]. Where it locks something there are none: before that, others
// may be writing the map.
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
		return in, ok && isVar && types.Identical(v.Type(), in.typ) && v.Parent() == pkg.Info.Scopes[funcTypeOf(pkg, body)]
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
