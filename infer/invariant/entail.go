package invariant

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// Entails says that whatever a is true of, b is true of, for conditions as invariants have them. It is sure when it says so; where it takes more than
// looking at one variable, or at one comparison, it does not see it.
func Entails(a, b string) bool {
	if a == b {
		return true
	}
	x, err := parser.ParseExpr(a)
	y, err2 := parser.ParseExpr(b)
	return err == nil && err2 == nil && entails(x, y)
}

func entails(a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	if types.ExprString(a) == types.ExprString(b) {
		return true
	}
	if guard, then, ok := implication(b); ok {
		if entails(a, then) {
			return true
		}
		guard2, then2, ok := implication(a)
		return ok && entails(guard, guard2) && entails(then2, then)
	}
	if x, ok := a.(*ast.BinaryExpr); ok && x.Op == token.LOR {
		return entails(x.X, b) && entails(x.Y, b)
	}
	if y, ok := b.(*ast.BinaryExpr); ok {
		switch y.Op {
		case token.LOR:
			return entails(a, y.X) || entails(a, y.Y)
		case token.LAND:
			return entails(a, y.X) && entails(a, y.Y)
		}
	}
	if x, ok := a.(*ast.BinaryExpr); ok && x.Op == token.LAND {
		return entails(x.X, b) || entails(x.Y, b)
	}
	if x, y := forall(a), forall(b); x != nil && y != nil {
		return types.ExprString(x.Args[0]) == types.ExprString(y.Args[0]) && entails(x.Args[1], y.Args[1])
	}
	if x := forall(a); x != nil { // sorted strictly, so none is there twice
		p, ok := comparisonOf(x.Args[1])
		y := calling(b, "distinct", 1)
		if ok && y != nil && (p.op == token.LSS || p.op == token.GTR) {
			list, i := types.ExprString(y.Args[0]), types.ExprString(x.Args[0])
			return p.x == list+"["+i+"]" && p.y == list+"["+i+" + 1]"
		}
	}
	return affixes(a, b) || compared(shifted(a), b) || classes(a, b)
}

// calling is e as a call of a function of that name with n arguments; nil if it is none.
func calling(e ast.Expr, name string, n int) *ast.CallExpr {
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == n && types.ExprString(c.Fun) == name {
		return c
	}
	return nil
}

func forall(e ast.Expr) *ast.CallExpr { return calling(e, "forall", 2) }

// implication takes apart implies(a, b).
func implication(e ast.Expr) (guard, then ast.Expr, ok bool) {
	if c := calling(e, "implies", 2); c != nil {
		return c.Args[0], c.Args[1], true
	}
	return nil, nil, false
}

// comparison is x op y, where y is a constant if value is not nil.
type comparison struct {
	x, y  string
	op    token.Token
	value constant.Value
}

// comparisonOf takes a condition apart; a constant comes second.
func comparisonOf(e ast.Expr) (c comparison, ok bool) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || flipped[b.Op] == token.ILLEGAL {
		return c, false
	}
	c = comparison{types.ExprString(b.X), types.ExprString(b.Y), b.Op, literal(b.Y)}
	if v := literal(b.X); v != nil {
		c = comparison{c.y, c.x, flipped[b.Op], v}
	}
	return c, true
}

// flipped are the operators of comparisons with their sides changed.
var flipped = map[token.Token]token.Token{token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}

// literal is the value of a literal with or without a sign, nil of anything else.
func literal(e ast.Expr) constant.Value {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(e.Value, e.Kind, 0); v.Kind() != constant.Unknown {
			return v
		}
	case *ast.UnaryExpr:
		if v := literal(e.X); e.Op == token.SUB && v != nil && v.Kind() != constant.String {
			return constant.UnaryOp(token.SUB, v, 0)
		}
	}
	return nil
}

// shifted makes x > y of x == y + 3: what is left is what compared looks at.
func shifted(e ast.Expr) ast.Expr {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL {
		return e
	}
	sum, ok := ast.Unparen(b.Y).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return e
	}
	c := literal(sum.Y)
	if c == nil || c.Kind() != constant.Int || constant.Sign(c) == 0 {
		return e
	}
	op := token.GTR
	if (constant.Sign(c) < 0) != (sum.Op == token.SUB) {
		op = token.LSS
	}
	return &ast.BinaryExpr{X: b.X, Op: op, Y: sum.X}
}

// weakerThan are the comparisons that follow from one of the same sides.
var weakerThan = map[token.Token][]token.Token{
	token.EQL: {token.LEQ, token.GEQ},
	token.LSS: {token.LEQ, token.NEQ},
	token.GTR: {token.GEQ, token.NEQ},
}

// compared says that a comparison follows from another.
func compared(a, b ast.Expr) bool {
	p, okP := comparisonOf(a)
	q, okQ := comparisonOf(b)
	if !okP || !okQ {
		return false
	}
	if p.value == nil || q.value == nil {
		if p.x == q.y && p.y == q.x {
			q.x, q.y, q.op = q.y, q.x, flipped[q.op]
		}
		if p.x != q.x || p.y != q.y {
			return p.op == token.EQL && q.op == token.NEQ && p.x == q.x && q.y == "nil" && strings.HasPrefix(p.x, "typeof(")
		}
		for _, op := range weakerThan[p.op] {
			if op == q.op {
				return true
			}
		}
		return p.op == q.op
	}
	if p.x != q.x || (p.value.Kind() == constant.String) != (q.value.Kind() == constant.String) {
		return false
	}
	is := func(op token.Token) bool { return constant.Compare(p.value, op, q.value) }
	switch p.op {
	case token.EQL:
		return is(q.op)
	case token.GEQ:
		return q.op == token.GEQ && is(token.GEQ) || (q.op == token.GTR || q.op == token.NEQ) && is(token.GTR)
	case token.GTR:
		return (q.op == token.GEQ || q.op == token.GTR || q.op == token.NEQ) && is(token.GEQ)
	case token.LEQ:
		return q.op == token.LEQ && is(token.LEQ) || (q.op == token.LSS || q.op == token.NEQ) && is(token.LSS)
	case token.LSS:
		return (q.op == token.LEQ || q.op == token.LSS || q.op == token.NEQ) && is(token.LEQ)
	case token.NEQ:
		return q.op == token.NEQ && is(token.EQL)
	}
	return false
}

// affixes says that a string that begins or ends so also begins or ends otherwise.
func affixes(a, b ast.Expr) bool {
	for name, has := range map[string]func(string, string) bool{"strings.HasPrefix": strings.HasPrefix, "strings.HasSuffix": strings.HasSuffix} {
		y := calling(b, name, 2)
		if y == nil {
			continue
		}
		of := func(e ast.Expr) (string, bool) {
			if v := literal(e); v != nil && v.Kind() == constant.String {
				return constant.StringVal(v), true
			}
			return "", false
		}
		want, ok := of(y.Args[1])
		if !ok {
			return false
		}
		if x := calling(a, name, 2); x != nil {
			text, ok := of(x.Args[1])
			return ok && types.ExprString(x.Args[0]) == types.ExprString(y.Args[0]) && has(text, want)
		}
		if p, ok := comparisonOf(a); ok && p.op == token.EQL && p.value != nil && p.value.Kind() == constant.String && p.x == types.ExprString(y.Args[0]) {
			return has(constant.StringVal(p.value), want)
		}
	}
	return false
}

// classes says of residues that x % 6 == 1 follows from x % 12 == 7, and from x == 7.
func classes(a, b ast.Expr) bool {
	q, ok := comparisonOf(b)
	if !ok || q.value == nil {
		return false
	}
	x, m, ok := modulus(b)
	if !ok {
		return false
	}
	p, ok := comparisonOf(a)
	if !ok || p.op != token.EQL || p.value == nil {
		return false
	}
	if y, n, ok := modulus(a); ok && y == x {
		return constant.Compare(constant.BinaryOp(n, token.REM, m), token.EQL, constant.MakeInt64(0)) &&
			constant.Compare(constant.BinaryOp(p.value, token.REM, m), q.op, q.value)
	}
	return p.x == x && p.value.Kind() == constant.Int && constant.Compare(constant.BinaryOp(p.value, token.REM, m), q.op, q.value)
}

// modulus takes apart x % m == r.
func modulus(e ast.Expr) (x string, m constant.Value, ok bool) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return "", nil, false
	}
	rem, ok := ast.Unparen(b.X).(*ast.BinaryExpr)
	if !ok || rem.Op != token.REM {
		return "", nil, false
	}
	m = literal(rem.Y)
	if m == nil || m.Kind() != constant.Int || constant.Sign(m) == 0 {
		return "", nil, false
	}
	return types.ExprString(rem.X), m, true
}
