package expr

import (
	"fmt"
	"go/token"
)

// Negate returns the opposite of a condition:
//
//	not (x < y)         is  x >= y      likewise for the other comparisons
//	not (a && b)        is  not a || not b
//	not (a || b)        is  not a && not b
//	not implies(a, b)   is  a && not b
//	not !a              is  a
//	not a               is  !a          for anything else
//
// The comparisons < <= > >= are those of ordered values: with NaN, both x < y and its opposite are
// false.
func Negate(e Expr) Expr {
	switch x := e.(type) {
	case *Binary:
		if op, ok := opposite[x.Op]; ok {
			return &Binary{op, x.X, x.Y}
		}
		switch x.Op {
		case token.LAND:
			return &Binary{token.LOR, Negate(x.X), Negate(x.Y)}
		case token.LOR:
			return &Binary{token.LAND, Negate(x.X), Negate(x.Y)}
		}
	case *Implies:
		return &Binary{token.LAND, x.If, Negate(x.Then)}
	}
	return Not(e)
}

// unexpected is what a function panics with that does not know a node: a fault of this package.
func unexpected(e Expr) string { return fmt.Sprintf("expr: unexpected node %T", e) }
