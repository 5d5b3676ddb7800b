package expr

import (
	"go/constant"
	"go/token"
	"strconv"
	"strings"
)

// Nil is the constant nil.
var Nil = &Const{Text: "nil"}

// Zero is the constant 0.
var Zero = Int(0)

// Int returns an integer constant.
func Int(n int64) *Const { return &Const{strconv.FormatInt(n, 10), constant.MakeInt64(n)} }

// Text returns a string constant.
func Text(s string) *Const { return &Const{strconv.Quote(s), constant.MakeString(s)} }

// Var returns the variable that a program point declares under the given name: the name's syntax
// tree if it is an expression, and an opaque Name otherwise.
func Var(name string) Expr {
	if isIdent(name) && !isConstant(name) {
		return &Name{name}
	}
	if e, err := Parse(name); err == nil {
		return e
	}
	return &Name{strings.ReplaceAll(name, "`", "'")}
}

// Op returns x op y for the operator written op, such as "<" or "&^".
func Op(op string, x, y Expr) Expr {
	p := parser{text: op}
	t := p.operator()
	if t == token.ILLEGAL || len(t.String()) != len(op) {
		panic("expr: no operator " + op)
	}
	return &Binary{t, x, y}
}

// Eq returns x == y.
func Eq(x, y Expr) Expr { return &Binary{token.EQL, x, y} }

// Ne returns x != y.
func Ne(x, y Expr) Expr { return &Binary{token.NEQ, x, y} }

// Apply returns the call of a function of the table Functions.
func Apply(name string, args ...Expr) Expr {
	if f := functions[name]; f == nil || f.Args != len(args) {
		panic("expr: no function " + name + " of that many arguments")
	}
	return &Call{name, args}
}

// Not returns !x, or x without its negation.
func Not(x Expr) Expr {
	if u, ok := x.(*Unary); ok && u.Op == token.NOT {
		return u.X
	}
	return &Unary{token.NOT, x}
}

// And returns the conjunction of the list, nil if it is empty.
func And(list ...Expr) Expr { return fold(token.LAND, list) }

// Or returns the disjunction of the list, nil if it is empty.
func Or(list ...Expr) Expr { return fold(token.LOR, list) }

// Sum returns the sum of the list, nil if it is empty.
func Sum(list ...Expr) Expr { return fold(token.ADD, list) }

func fold(op token.Token, list []Expr) (e Expr) {
	for _, x := range list {
		if e == nil {
			e = x
		} else {
			e = &Binary{op, e, x}
		}
	}
	return e
}

// Plus returns x + n, x - (-n) for a negative n, and x for 0.
func Plus(x Expr, n int64) Expr {
	switch {
	case n > 0:
		return &Binary{token.ADD, x, Int(n)}
	case n < 0:
		return &Binary{token.SUB, x, Int(-n)}
	}
	return x
}

// Times returns n * x, and x for 1.
func Times(n int64, x Expr) Expr {
	if n == 1 {
		return x
	}
	return &Binary{token.MUL, Int(n), x}
}

// Next returns x[i+1], and At x[i], for an index named i.
func Next(x Expr, i string) Expr { return &Index{x, Plus(&Name{i}, 1)} }

// At returns x[i] for an index named i.
func At(x Expr, i string) Expr { return &Index{x, &Name{i}} }

// When returns implies(cond, e), and e if cond is nil. If e is an implication itself, its
// condition is added to cond: implies(cond && a, b).
func When(cond, e Expr) Expr {
	if cond == nil {
		return e
	}
	if inner, ok := e.(*Implies); ok {
		return &Implies{And(append(Conjuncts(cond), Conjuncts(inner.If)...)...), inner.Then}
	}
	return &Implies{cond, e}
}

// OldName returns the name that a program point gives to the value of a variable at the function's
// entry: old(x).
func OldName(name string) string { return "old(" + name + ")" }

// CutOld returns x for the name old(x), and reports whether the name had that form. Other names
// are returned as they are.
func CutOld(name string) (x string, old bool) {
	inner, ok := strings.CutPrefix(name, "old(")
	if !ok || !strings.HasSuffix(inner, ")") || !balanced(inner[:len(inner)-1]) {
		return name, false
	}
	return inner[:len(inner)-1], true
}

// balanced reports whether no parenthesis of s closes one that was opened before s.
func balanced(s string) bool {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}

// Applied reports whether name is the call of the function fn: len(x), has(m, k). The function may
// be applied to a value at the entry: old(len(x)).
func Applied(name, fn string) bool {
	inner, _ := CutOld(name)
	return strings.HasPrefix(inner, fn) && strings.HasPrefix(inner[len(fn):], "(")
}

// Literal returns the constant that a Go literal stands for. It is made by a caller that knows it
// to be one; a text that is none becomes an opaque name.
func Literal(text string) Expr {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && text[0] != '+' {
		if c := Int(n); c.Text == text { // most are, and need no parser
			return c
		}
	}
	return Var(text)
}

// ListOf returns the slice literal of a type and elements given as Go literals.
func ListOf(typ string, literals []string) Expr {
	e := &List{Type: typ}
	for _, text := range literals {
		e.Elems = append(e.Elems, Literal(text))
	}
	return e
}
