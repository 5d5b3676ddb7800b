package expr

import (
	"go/constant"
	"go/token"
	"strings"
)

// Entails reports whether b holds wherever a holds. It is sound and incomplete: it looks at one
// comparison, or one variable, at a time. Both are conditions of invariants.
//
// The rules, where => is Entails:
//
//	a => a
//	a => implies(g, b)               if a => b
//	implies(g, a) => implies(h, b)   if h => g and a => b
//	a || b => c                      if a => c and b => c
//	a => b || c                      if a => b or a => c
//	a => b && c                      if a => b and a => c
//	a && b => c                      if a => c or b => c
//	forall(i, a) => forall(i, b)     if a => b
//	forall(i, s[i] < s[i+1]) => distinct(s)
//	x == "abc", HasPrefix(x, "ab") => HasPrefix(x, "a")
//	x == y + 3 => x > y
//	x < y => x <= y, and so on for comparisons of the same operands
//	x >= 3 => x >= 1, and so on for comparisons with constants
//	x % 12 == 7, x == 7 => x % 6 == 1
func Entails(a, b Expr) bool {
	if Equal(a, b) {
		return true
	}
	if y, ok := b.(*Implies); ok {
		if Entails(a, y.Then) {
			return true
		}
		x, ok := a.(*Implies)
		return ok && Entails(y.If, x.If) && Entails(x.Then, y.Then)
	}
	if x, y, ok := operands(a, token.LOR); ok {
		return Entails(x, b) && Entails(y, b)
	}
	if x, y, ok := operands(b, token.LOR); ok {
		return Entails(a, x) || Entails(a, y)
	}
	if x, y, ok := operands(b, token.LAND); ok {
		return Entails(a, x) && Entails(a, y)
	}
	if x, y, ok := operands(a, token.LAND); ok {
		return Entails(x, b) || Entails(y, b)
	}
	if x, ok := a.(*Forall); ok {
		if y, ok := b.(*Forall); ok {
			return x.Var == y.Var && Entails(x.Body, y.Body)
		}
		if y, ok := b.(*Call); ok && y.Func == "distinct" {
			return strictlySorted(x, y.Args[0])
		}
	}
	return affixEntails(a, b) || compareEntails(difference(a), b) || residueEntails(a, b)
}

// operands returns the operands of a binary operator, if e has that one.
func operands(e Expr, op token.Token) (x, y Expr, ok bool) {
	if b, is := e.(*Binary); is && b.Op == op {
		return b.X, b.Y, true
	}
	return nil, nil, false
}

// strictlySorted reports whether f is forall(i, s[i] < s[i+1]), or that with >.
func strictlySorted(f *Forall, s Expr) bool {
	c, ok := f.Body.(*Binary)
	return ok && (c.Op == token.LSS || c.Op == token.GTR) &&
		Equal(c.X, At(s, f.Var)) && Equal(c.Y, Next(s, f.Var))
}

// comparison is x op y. If value is not nil, it is that of y, which is a constant.
type comparison struct {
	x, y  Expr
	op    token.Token
	value constant.Value
}

// comparisonOf returns e as a comparison with the constant, if there is one, on the right.
func comparisonOf(e Expr) (c comparison, ok bool) {
	b, ok := e.(*Binary)
	if !ok || !IsComparison(b.Op) {
		return c, false
	}
	if v := valueOf(b.X); v != nil {
		return comparison{b.Y, b.X, mirrored[b.Op], v}, true
	}
	return comparison{b.X, b.Y, b.Op, valueOf(b.Y)}, true
}

// valueOf returns the value of a number or string constant, nil of anything else.
func valueOf(e Expr) constant.Value {
	c, ok := e.(*Const)
	if !ok || c.Value == nil || c.Value.Kind() == constant.Bool {
		return nil
	}
	return c.Value
}

// difference returns x > y for x == y + 3, x < y for x == y - 3, and other conditions unchanged.
// Integers of invariants do not overflow [DAIKON]: they are those that were seen.
func difference(e Expr) Expr {
	b, ok := e.(*Binary)
	if !ok || b.Op != token.EQL {
		return e
	}
	sum, ok := b.Y.(*Binary)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return e
	}
	c := valueOf(sum.Y)
	if c == nil || c.Kind() != constant.Int || constant.Sign(c) == 0 {
		return e
	}
	op := token.GTR
	if (constant.Sign(c) < 0) != (sum.Op == token.SUB) {
		op = token.LSS
	}
	return &Binary{op, b.X, sum.X}
}

// weaker are the comparisons that follow from one of the same operands.
var weaker = map[token.Token][]token.Token{
	token.EQL: {token.LEQ, token.GEQ},
	token.LSS: {token.LEQ, token.NEQ},
	token.GTR: {token.GEQ, token.NEQ},
}

// compareEntails reports whether one comparison follows from another.
func compareEntails(a, b Expr) bool {
	p, okP := comparisonOf(a)
	q, okQ := comparisonOf(b)
	if !okP || !okQ {
		return false
	}
	if p.value != nil && q.value != nil {
		return Equal(p.x, q.x) && boundEntails(p, q)
	}
	if Equal(p.x, q.y) && Equal(p.y, q.x) {
		q.x, q.y, q.op = q.y, q.x, mirrored[q.op]
	}
	if !Equal(p.x, q.x) {
		return false
	}
	if !Equal(p.y, q.y) { // a dynamic type that is known is not that of nil
		f, ok := p.x.(*Call)
		return ok && f.Func == "typeof" && p.op == token.EQL && q.op == token.NEQ && IsNil(q.y) &&
			!IsNil(p.y)
	}
	for _, op := range weaker[p.op] {
		if op == q.op {
			return true
		}
	}
	return p.op == q.op
}

// boundEntails compares two comparisons of the same operand with constants.
func boundEntails(p, q comparison) bool {
	if (p.value.Kind() == constant.String) != (q.value.Kind() == constant.String) {
		return false
	}
	is := func(op token.Token) bool { return constant.Compare(p.value, op, q.value) }
	switch p.op {
	case token.EQL:
		return is(q.op)
	case token.GEQ:
		return q.op == token.GEQ && is(token.GEQ) ||
			(q.op == token.GTR || q.op == token.NEQ) && is(token.GTR)
	case token.GTR:
		return (q.op == token.GEQ || q.op == token.GTR || q.op == token.NEQ) && is(token.GEQ)
	case token.LEQ:
		return q.op == token.LEQ && is(token.LEQ) ||
			(q.op == token.LSS || q.op == token.NEQ) && is(token.LSS)
	case token.LSS:
		return (q.op == token.LEQ || q.op == token.LSS || q.op == token.NEQ) && is(token.LEQ)
	case token.NEQ:
		return q.op == token.NEQ && is(token.EQL)
	}
	return false
}

// affixEntails reports whether a string with one prefix or suffix, or a known string, has another
// prefix or suffix.
func affixEntails(a, b Expr) bool {
	y, ok := b.(*Call)
	if !ok {
		return false
	}
	has := strings.HasPrefix
	switch y.Func {
	case "strings.HasPrefix":
	case "strings.HasSuffix":
		has = strings.HasSuffix
	default:
		return false
	}
	want, ok := StringOf(y.Args[1])
	if !ok {
		return false
	}
	if x, ok := a.(*Call); ok && x.Func == y.Func {
		s, ok := StringOf(x.Args[1])
		return ok && Equal(x.Args[0], y.Args[0]) && has(s, want)
	}
	if p, ok := comparisonOf(a); ok && p.op == token.EQL && Equal(p.x, y.Args[0]) {
		s, ok := StringOf(p.y)
		return ok && has(s, want)
	}
	return false
}

// residueEntails reports whether x % m == r follows from x % n == s, where m divides n, or from
// x == c.
func residueEntails(a, b Expr) bool {
	q, ok := comparisonOf(b)
	if !ok || q.value == nil {
		return false
	}
	x, m, ok := modulus(q.x)
	if !ok {
		return false
	}
	p, ok := comparisonOf(a)
	if !ok || p.op != token.EQL || p.value == nil || p.value.Kind() != constant.Int {
		return false
	}
	follows := func() bool {
		return constant.Compare(constant.BinaryOp(p.value, token.REM, m), q.op, q.value)
	}
	if y, n, ok := modulus(p.x); ok && Equal(x, y) {
		divides := constant.Sign(constant.BinaryOp(n, token.REM, m)) == 0
		return divides && follows()
	}
	return Equal(p.x, x) && follows()
}

// modulus returns x and m of x % m.
func modulus(e Expr) (x Expr, m constant.Value, ok bool) {
	b, ok := e.(*Binary)
	if !ok || b.Op != token.REM {
		return nil, nil, false
	}
	m = valueOf(b.Y)
	if m == nil || m.Kind() != constant.Int || constant.Sign(m) == 0 {
		return nil, nil, false
	}
	return b.X, m, true
}
