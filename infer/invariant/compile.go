package invariant

import (
	"go/token"
	"slices"
	"strconv"

	"dsd/internal/expr"
)

// compiled is a condition of the testee's source, prepared for evaluation in the rows of a batch.
type compiled struct {
	// columns and names identify its variables, in the order of the text.
	columns []int
	names   []string
	holds   func(b *batch, row int) bool
}

// side returns 0 where the condition is true of a row, 1 where it is false, and -1 where a variable
// does not exist or has a value that has no order.
func (c *compiled) side(b *batch, row int) int {
	for _, i := range c.columns {
		if col := &b.columns[i]; !col.present(row) || col.isUnrepresentable(row) {
			return -1
		}
	}
	if c.holds(b, row) {
		return 0
	}
	return 1
}

// compile prepares a comparison of the variables of a point: a bool, a test of nil, a string equal
// to a constant, or sums of integers. It returns nil for any other condition, and for one of
// variables that the point does not have.
func compile(cond expr.Expr, decl Declaration) *compiled {
	c := &compiled{}
	if i := c.column(cond, decl, boolean); i >= 0 {
		c.holds = func(b *batch, row int) bool { return b.columns[i].code[row] != 0 }
		return c
	}
	cmp, ok := cond.(*expr.Binary)
	if !ok || !expr.IsComparison(cmp.Op) {
		return nil
	}
	isEqual := cmp.Op == token.EQL
	if expr.IsNil(cmp.Y) {
		i := c.column(cmp.X, decl, ref, dynamic)
		if i < 0 {
			return nil
		}
		c.holds = func(b *batch, row int) bool { return (b.columns[i].code[row] == 0) == isEqual }
		return c
	}
	if s, ok := expr.StringOf(cmp.Y); ok && (isEqual || cmp.Op == token.NEQ) {
		i := c.column(cmp.X, decl, text)
		if i < 0 {
			return nil
		}
		code := hashOf([]byte(strconv.Quote(s)))
		c.holds = func(b *batch, row int) bool { return (b.columns[i].code[row] == code) == isEqual }
		return c
	}
	x, okX := c.sum(cmp.X, decl)
	y, okY := c.sum(cmp.Y, decl)
	if !okX || !okY || len(c.columns) == 0 {
		return nil
	}
	c.holds = ordering(cmp.Op, x, y)
	return c
}

// column returns the column of the variable that e names, if it is of one of the kinds; -1 if not.
func (c *compiled) column(e expr.Expr, decl Declaration, want ...kind) int {
	name := e.String()
	for i, v := range decl.Vars {
		if v.Name == name && slices.Contains(want, kindOf(v.Rep)) {
			if !slices.Contains(c.columns, i) {
				c.columns, c.names = append(c.columns, i), append(c.names, name)
			}
			return i
		}
	}
	return -1
}

// integerOf computes an integer from a row of a batch.
type integerOf func(b *batch, row int) int64

// ordering returns the comparison x op y.
func ordering(op token.Token, x, y integerOf) func(b *batch, row int) bool {
	switch op {
	case token.EQL:
		return func(b *batch, row int) bool { return x(b, row) == y(b, row) }
	case token.NEQ:
		return func(b *batch, row int) bool { return x(b, row) != y(b, row) }
	case token.LSS:
		return func(b *batch, row int) bool { return x(b, row) < y(b, row) }
	case token.LEQ:
		return func(b *batch, row int) bool { return x(b, row) <= y(b, row) }
	case token.GTR:
		return func(b *batch, row int) bool { return x(b, row) > y(b, row) }
	}
	return func(b *batch, row int) bool { return x(b, row) >= y(b, row) }
}

// sum prepares a sum of integer variables and constants; ok is false for anything else.
func (c *compiled) sum(e expr.Expr, decl Declaration) (f integerOf, ok bool) {
	if i := c.column(e, decl, integer); i >= 0 {
		return func(b *batch, row int) int64 { return b.columns[i].code[row] }, true
	}
	if n, ok := expr.Integer(e); ok {
		return func(*batch, int) int64 { return n }, true
	}
	switch e := e.(type) {
	case *expr.Unary:
		if x, ok := c.sum(e.X, decl); ok && e.Op == token.SUB {
			return func(b *batch, row int) int64 { return -x(b, row) }, true
		}
	case *expr.Binary:
		x, okX := c.sum(e.X, decl)
		y, okY := c.sum(e.Y, decl)
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
