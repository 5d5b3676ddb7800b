package expr

import (
	"go/constant"
	"go/token"
)

// Expr is a node of the syntax tree. Nodes are immutable and may be shared between trees.
//
// Every node is a pointer to one of the types below, in the order of declaration:
//
//	Name     x, result0, `a name that is no Go expression`
//	Const    12, -1, 2.5, "text", true, nil
//	Sel      x.f
//	Index    x[i]
//	Suffix   x[], x[..], x()     in names that Daikon's front ends declare
//	Deref    *x
//	Old      old(x)              x as it was when the function was entered
//	Call     len(x), contains(list, x)
//	Unary    -x, !x
//	Binary   x + 1, x < y, a && b
//	List     []int{1, 2}
//	Implies  implies(a, b)
//	Forall   forall(i, list[i] != nil)
type Expr interface {
	String() string

	// append appends the text of the node to b; see printer.
	append(b []byte, p printer) []byte
}

// Name is a variable: a parameter, a result, a package-level variable, or the index that a Forall
// binds.
type Name struct{ Name string }

// Const is a constant. A negative number is one Const.
type Const struct {
	// Text is the constant as a Go literal.
	Text string
	// Value is its value; nil for nil.
	Value constant.Value
}

// Sel is the field Field of X, which is a struct or a pointer to one.
type Sel struct {
	X     Expr
	Field string
}

// Index is the element I of the slice or array X. It has no value if I is out of range.
type Index struct{ X, I Expr }

// Suffix is X with a suffix that is not Go: "[]", "[..]" (all elements) or "()" (a method of a
// variable that Daikon's front ends observe). The whole names one declared variable.
type Suffix struct {
	X    Expr
	Text string
}

// Deref is what the pointer X points to. It has no value if X is nil.
type Deref struct{ X Expr }

// Old is the value of X at the function's entry.
type Old struct{ X Expr }

// Call is the application of a function of the table Functions. Arity is checked by the parser.
type Call struct {
	Func string
	Args []Expr
}

// Unary is -X (token.SUB) or !X (token.NOT).
type Unary struct {
	Op token.Token
	X  Expr
}

// Binary is X Op Y. Op is a comparison, && or ||, or one of + - * / % & | ^ &^ << >>.
type Binary struct {
	Op   token.Token
	X, Y Expr
}

// List is a slice literal of constants.
type List struct {
	// Type is the Go type of the slice, such as "[]int".
	Type  string
	Elems []Expr
}

// Implies holds if If is false or Then is true.
type Implies struct{ If, Then Expr }

// Forall holds if Body is true for each value of Var that is an index of every slice that Body
// indexes by Var.
type Forall struct {
	Var  string
	Body Expr
}
