package invariant

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// compiled is a condition of the source, ready to be asked of the samples of a batch.
type compiled struct {
	columns []int // of its variables
	names   []string
	holds   func(b *batch, row int) bool
}

// side is 0 where the condition is true of a sample, 1 where it is not, and -1 where a variable does not exist or has a value without order.
func (c *compiled) side(b *batch, row int) int {
	for _, i := range c.columns {
		if col := &b.columns[i]; !col.there(row) || col.isOdd(row) {
			return -1
		}
	}
	if c.holds(b, row) {
		return 0
	}
	return 1
}

// compile prepares a comparison of variables and constants; nil if it is anything else, or of variables that the point does not have.
func compile(source string, decl Declaration) *compiled {
	e, err := parser.ParseExpr(source)
	if err != nil {
		return nil
	}
	c := &compiled{}
	column := func(e ast.Expr, want ...kind) int {
		name := types.ExprString(e)
		for i, v := range decl.Vars {
			if v.Name == name && slices.Contains(want, kinds[v.Rep]) {
				if !slices.Contains(c.columns, i) {
					c.columns, c.names = append(c.columns, i), append(c.names, name)
				}
				return i
			}
		}
		return -1
	}
	if i := column(e, boolean); i >= 0 {
		c.holds = func(b *batch, row int) bool { return b.columns[i].code[row] != 0 }
		return c
	}
	cmp, ok := e.(*ast.BinaryExpr)
	if !ok || flipped[cmp.Op] == token.ILLEGAL {
		return nil
	}
	if id, ok := cmp.Y.(*ast.Ident); ok && id.Name == "nil" {
		if i := column(cmp.X, ref, dynamic); i >= 0 {
			c.holds = func(b *batch, row int) bool { return (b.columns[i].code[row] == 0) == (cmp.Op == token.EQL) }
			return c
		}
		return nil
	}
	if lit, ok := cmp.Y.(*ast.BasicLit); ok && lit.Kind == token.STRING && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
		if i := column(cmp.X, text); i >= 0 {
			s, err := strconv.Unquote(lit.Value)
			code := hashOf([]byte(strconv.Quote(s)))
			c.holds = func(b *batch, row int) bool { return (b.columns[i].code[row] == code) == (cmp.Op == token.EQL) }
			if err == nil {
				return c
			}
		}
		return nil
	}
	x, okX := sum(cmp.X, column)
	y, okY := sum(cmp.Y, column)
	if !okX || !okY || len(c.columns) == 0 {
		return nil
	}
	op := cmp.Op
	c.holds = func(b *batch, row int) bool {
		u, v := x(b, row), y(b, row)
		switch op {
		case token.EQL:
			return u == v
		case token.NEQ:
			return u != v
		case token.LSS:
			return u < v
		case token.LEQ:
			return u <= v
		case token.GTR:
			return u > v
		}
		return u >= v
	}
	return c
}

// sum prepares a sum of integer variables and constants.
func sum(e ast.Expr, column func(ast.Expr, ...kind) int) (f func(b *batch, row int) int64, ok bool) {
	if i := column(e, integer); i >= 0 {
		return func(b *batch, row int) int64 { return b.columns[i].code[row] }, true
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 0, 64)
		return func(*batch, int) int64 { return n }, err == nil
	case *ast.UnaryExpr:
		if x, ok := sum(e.X, column); ok && e.Op == token.SUB {
			return func(b *batch, row int) int64 { return -x(b, row) }, true
		}
	case *ast.BinaryExpr:
		x, okX := sum(e.X, column)
		y, okY := sum(e.Y, column)
		switch {
		case !okX || !okY:
		case e.Op == token.ADD:
			return func(b *batch, row int) int64 { return x(b, row) + y(b, row) }, true
		case e.Op == token.SUB:
			return func(b *batch, row int) int64 { return x(b, row) - y(b, row) }, true
		}
	}
	return nil, false
}

// negation is the opposite of a condition of the source.
func negation(text string) string {
	opposites := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
	for op, other := range opposites {
		if x, y, ok := strings.Cut(text, " "+op+" "); ok {
			return x + " " + other + " " + y
		}
	}
	return "!" + text
}
