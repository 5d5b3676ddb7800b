package e2e_test

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"dsd/check/smt"
	"dsd/internal/expr"
	"dsd/schemas"
)

// contradictions returns the points ("FUNC AT") whose invariants cannot all hold, by the solver.
// Numbers are mathematical integers and reals. A part that is neither arithmetic nor logic becomes
// a variable of its own, so that a contradiction may be missed, and none is ever invented.
//
// Errors: those of the solver, and expressions that cannot be read.
func contradictions(doc *schemas.Invariants) (points []string, err error) {
	session, _ := smt.NewZ3()
	defer session.Close()
	for _, p := range doc.Points {
		t := &translation{sorts: map[string]string{}, strings: map[string]int{}}
		var asserts []string
		for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
			e, err := expr.Parse(inv.Expr)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", p.Func, p.At, err)
			}
			asserts = append(asserts, "(assert "+t.condition(e)+")")
		}
		answer, err := session.Eval("(reset)\n" + t.declarations() + strings.Join(asserts, "\n") +
			"\n(check-sat)\n")
		if err != nil || strings.Contains(answer, "error") {
			return nil, fmt.Errorf("%s %s: %v %s", p.Func, p.At, err, answer)
		}
		if strings.Contains(answer, "unsat") {
			points = append(points, p.Func+" "+string(p.At))
		}
	}
	return points, nil
}

// translation writes the invariants of a point as SMT-LIB.
type translation struct {
	// sorts are the variables' sorts: Int, Real or Bool.
	sorts map[string]string
	// order is the order in which the variables were first seen.
	order []string
	// strings numbers the string constants, from 1.
	strings map[string]int
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

// variable returns the variable that stands for an expression, and its sort. An expression that
// occurs as a condition and as a number has two variables.
func (t *translation) variable(e expr.Expr, sort string) (name, is string) {
	name = strings.NewReplacer("|", "!", `\`, "!").Replace(e.String())
	for t.sorts[name] != "" && t.sorts[name] != sort && (sort == "Bool" || t.sorts[name] == "Bool") {
		name += "'"
	}
	if t.sorts[name] == "" {
		t.sorts[name] = sort
		t.order = append(t.order, name)
	}
	return "|v." + name + "|", t.sorts[name]
}

func (t *translation) condition(e expr.Expr) string {
	switch e := e.(type) {
	case *expr.Unary:
		if e.Op == token.NOT {
			return "(not " + t.condition(e.X) + ")"
		}
	case *expr.Implies:
		return "(=> " + t.condition(e.If) + " " + t.condition(e.Then) + ")"
	case *expr.Binary:
		switch {
		case e.Op == token.LAND:
			return "(and " + t.condition(e.X) + " " + t.condition(e.Y) + ")"
		case e.Op == token.LOR:
			return "(or " + t.condition(e.X) + " " + t.condition(e.Y) + ")"
		case expr.IsComparison(e.Op):
			return t.comparison(e)
		}
	}
	name, _ := t.variable(e, "Bool")
	return name
}

var smtOperators = map[token.Token]string{
	token.EQL: "=", token.NEQ: "distinct",
	token.LSS: "<", token.LEQ: "<=", token.GTR: ">", token.GEQ: ">=",
}

func (t *translation) comparison(e *expr.Binary) string {
	isReal := isFloat(e.X) || isFloat(e.Y)
	x, sortX := t.number(e.X, isReal)
	y, sortY := t.number(e.Y, isReal)
	if sortX != sortY {
		if sortX == "Int" {
			x = "(to_real " + x + ")"
		} else {
			y = "(to_real " + y + ")"
		}
	}
	return "(" + smtOperators[e.Op] + " " + x + " " + y + ")"
}

// isFloat reports whether e is a constant with a fraction or an exponent.
func isFloat(e expr.Expr) bool {
	c, ok := e.(*expr.Const)
	return ok && c.Value != nil && strings.ContainsAny(c.Text, ".e") &&
		c.Value.Kind() == constant.Float
}

// number translates an operand of a comparison: a number, a reference (nil is 0), or a string,
// which is numbered.
func (t *translation) number(e expr.Expr, isReal bool) (text, sort string) {
	switch e := e.(type) {
	case *expr.Const:
		return t.constant(e)
	case *expr.Unary:
		if e.Op == token.SUB {
			x, sort := t.number(e.X, isReal)
			return "(- " + x + ")", sort
		}
	case *expr.Binary:
		return t.arithmetic(e)
	case *expr.Call:
		if len(e.Args) != 2 {
			break
		}
		x, sortX := t.number(e.Args[0], false)
		y, sortY := t.number(e.Args[1], false)
		switch {
		case sortX != "Int" || sortY != "Int":
		case e.Func == "min":
			return fmt.Sprintf("(ite (< %s %s) %s %s)", x, y, x, y), "Int"
		case e.Func == "max":
			return fmt.Sprintf("(ite (< %s %s) %s %s)", x, y, y, x), "Int"
		case e.Func == "gcd":
			return "(bits.gcd " + x + " " + y + ")", "Int"
		}
	}
	sort = "Int"
	if isReal {
		sort = "Real"
	}
	return t.variable(e, sort)
}

func (t *translation) constant(e *expr.Const) (text, sort string) {
	switch {
	case e.Value == nil || e.Text == "false":
		return "0", "Int"
	case e.Text == "true":
		return "1", "Int"
	case e.Value.Kind() == constant.String:
		if t.strings[e.Text] == 0 {
			t.strings[e.Text] = len(t.strings) + 1
		}
		return strconv.Itoa(t.strings[e.Text]), "Int"
	}
	text, sort = e.Text, "Int"
	if isFloat(e) {
		f, _ := constant.Float64Val(e.Value)
		text, sort = strconv.FormatFloat(f, 'f', -1, 64), "Real"
		if !strings.Contains(text, ".") {
			text += ".0"
		}
	}
	if positive, ok := strings.CutPrefix(text, "-"); ok {
		text = "(- " + positive + ")"
	}
	return text, sort
}

func (t *translation) arithmetic(e *expr.Binary) (text, sort string) {
	x, sortX := t.number(e.X, false)
	y, sortY := t.number(e.Y, false)
	if sortX != "Int" || sortY != "Int" {
		return t.variable(e, "Real")
	}
	switch e.Op {
	case token.ADD, token.SUB, token.MUL:
		return "(" + e.Op.String() + " " + x + " " + y + ")", "Int"
	case token.REM: // Go's has the sign of the dividend
		const rem = "(ite (>= %[1]s 0) (mod %[1]s %[2]s) (- (mod (- %[1]s) %[2]s)))"
		return fmt.Sprintf(rem, x, y), "Int"
	}
	bits := map[token.Token]string{
		token.AND: "and", token.OR: "or", token.XOR: "xor", token.AND_NOT: "andnot",
	}
	if f := bits[e.Op]; f != "" {
		return "(bits." + f + " " + x + " " + y + ")", "Int"
	}
	return t.variable(e, "Int")
}
