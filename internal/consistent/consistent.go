// Package consistent asks the solver whether the invariants of a document contradict each other. Tests ask it of every document that they write.
package consistent

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"dsd/check/smt"
	"dsd/schemas"
)

// Check returns the points whose invariants cannot all hold: "FUNC AT". Numbers are mathematical ones; what is not arithmetic or logic is taken for a
// variable of its own, so that what is told may be consistent by mistake, but never contradictory.
//
// Errors: those of the solver, and expressions that are not understood.
func Check(doc *schemas.Invariants) (contradictory []string, err error) {
	session := smt.NewZ3()
	defer session.Close()
	for _, p := range doc.Points {
		t := &translation{sorts: map[string]string{}, strings: map[string]int{}}
		var asserts []string
		for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
			e, err := parser.ParseExpr(inv.Expr)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %s: %w", p.Func, p.At, inv.Expr, err)
			}
			asserts = append(asserts, "(assert "+t.condition(e)+")")
		}
		answer, err := session.Eval("(reset)\n" + t.declarations() + strings.Join(asserts, "\n") + "\n(check-sat)\n")
		if err != nil || strings.Contains(answer, "error") {
			return nil, fmt.Errorf("%s %s: %v %s", p.Func, p.At, err, answer)
		}
		if strings.Contains(answer, "unsat") {
			contradictory = append(contradictory, p.Func+" "+string(p.At))
		}
	}
	return contradictory, nil
}

// translation is that of the invariants of a point to SMT-LIB.
type translation struct {
	sorts   map[string]string // by variable: Int, Real or Bool
	order   []string
	strings map[string]int // the numbers of literals
}

func (t *translation) declarations() string {
	var out strings.Builder
	for _, f := range []string{"and", "or", "xor", "andnot", "gcd"} {
		fmt.Fprintf(&out, "(declare-fun bits.%s (Int Int) Int)\n", f)
	}
	for _, name := range t.order {
		fmt.Fprintf(&out, "(declare-const |v.%s| %s)\n", name, t.sorts[name])
	}
	return out.String()
}

// variable is the one that stands for an expression.
func (t *translation) variable(name, sort string) (text, is string) {
	name = strings.NewReplacer("|", "!", `\`, "!").Replace(name)
	for t.sorts[name] != "" && t.sorts[name] != sort && (sort == "Bool" || t.sorts[name] == "Bool") {
		name += "'" // a name of both is two variables
	}
	if t.sorts[name] == "" {
		t.sorts[name] = sort
		t.order = append(t.order, name)
	}
	return "|v." + name + "|", t.sorts[name]
}

func (t *translation) condition(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return "(not " + t.condition(e.X) + ")"
		}
	case *ast.CallExpr:
		if types.ExprString(e.Fun) == "implies" && len(e.Args) == 2 {
			return "(=> " + t.condition(e.Args[0]) + " " + t.condition(e.Args[1]) + ")"
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return "(and " + t.condition(e.X) + " " + t.condition(e.Y) + ")"
		case token.LOR:
			return "(or " + t.condition(e.X) + " " + t.condition(e.Y) + ")"
		}
		return t.comparison(e)
	}
	text, _ := t.variable(types.ExprString(e), "Bool")
	return text
}

var operators = map[token.Token]string{token.EQL: "=", token.NEQ: "distinct", token.LSS: "<", token.LEQ: "<=", token.GTR: ">", token.GEQ: ">="}

func (t *translation) comparison(e *ast.BinaryExpr) string {
	real := isFloat(e.X) || isFloat(e.Y)
	x, sortX := t.number(e.X, real)
	y, sortY := t.number(e.Y, real)
	if sortX != sortY {
		if sortX == "Int" {
			x = "(to_real " + x + ")"
		} else {
			y = "(to_real " + y + ")"
		}
	}
	return "(" + operators[e.Op] + " " + x + " " + y + ")"
}

// isFloat says that an expression is a literal with a fraction or an exponent.
func isFloat(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Kind == token.FLOAT
	case *ast.UnaryExpr:
		return isFloat(e.X)
	}
	return false
}

// number translates what is compared: numbers, references, of which nil is 0, and strings, which are numbered.
func (t *translation) number(e ast.Expr, real bool) (text, sort string) {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.BasicLit:
		switch e.Kind {
		case token.INT:
			return e.Value, "Int"
		case token.FLOAT:
			f, _ := strconv.ParseFloat(e.Value, 64)
			text = strconv.FormatFloat(f, 'f', -1, 64)
			if !strings.Contains(text, ".") {
				text += ".0"
			}
			return text, "Real"
		}
		if t.strings[e.Value] == 0 {
			t.strings[e.Value] = len(t.strings) + 1
		}
		return strconv.Itoa(t.strings[e.Value]), "Int"
	case *ast.Ident:
		switch e.Name {
		case "nil", "false":
			return "0", "Int"
		case "true":
			return "1", "Int"
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			x, sort := t.number(e.X, real)
			return "(- " + x + ")", sort
		}
	case *ast.BinaryExpr:
		return t.arithmetic(e)
	case *ast.CallExpr:
		if name := types.ExprString(e.Fun); len(e.Args) == 2 {
			x, sortX := t.number(e.Args[0], false)
			y, sortY := t.number(e.Args[1], false)
			switch {
			case sortX != "Int" || sortY != "Int":
			case name == "min":
				return fmt.Sprintf("(ite (< %s %s) %s %s)", x, y, x, y), "Int"
			case name == "max":
				return fmt.Sprintf("(ite (< %s %s) %s %s)", x, y, y, x), "Int"
			case name == "gcd":
				return "(bits.gcd " + x + " " + y + ")", "Int"
			}
		}
	}
	sort = "Int"
	if real {
		sort = "Real"
	}
	return t.variable(types.ExprString(e), sort)
}

func (t *translation) arithmetic(e *ast.BinaryExpr) (text, sort string) {
	x, sortX := t.number(e.X, false)
	y, sortY := t.number(e.Y, false)
	if sortX != "Int" || sortY != "Int" {
		return t.variable(types.ExprString(e), "Real")
	}
	switch e.Op {
	case token.ADD, token.SUB, token.MUL:
		return "(" + e.Op.String() + " " + x + " " + y + ")", "Int"
	case token.REM: // as Go has it: with the sign of the dividend
		return fmt.Sprintf("(ite (>= %[1]s 0) (mod %[1]s %[2]s) (- (mod (- %[1]s) %[2]s)))", x, y), "Int"
	}
	if f := map[token.Token]string{token.AND: "and", token.OR: "or", token.XOR: "xor", token.AND_NOT: "andnot"}[e.Op]; f != "" {
		return "(bits." + f + " " + x + " " + y + ")", "Int"
	}
	return t.variable(types.ExprString(e), "Int")
}
