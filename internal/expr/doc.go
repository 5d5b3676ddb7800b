// Package expr is the language in which invariants are written.
//
// An invariant is learned by infer, stored as text in a document, assumed by check, judged by crash
// and read by people. All of them use the syntax tree of this package; no other package looks into
// the text of an expression. The grammar, with every function and form, is in
// schemas/EXPRESSIONS.md.
//
// The files, in reading order:
//
//	expr.go      the syntax tree
//	function.go  the functions that an expression may call
//	print.go     the tree as text; spacing is canonical, so equal trees have equal texts
//	parse.go     the text as a tree: Parse(e.String()) equals e
//	build.go     short constructors for templates, and names of values at a function's entry
//	walk.go      variables, substitution, conjuncts
//	negate.go    the opposite of a condition
//	entail.go    which condition follows from which
//	eval.go      the value of a condition for given values of its variables
//
// Strength: Entails is sound and incomplete; Eval is exact for values that the caller knows.
// Not handled: types (a variable has the type that its program point declares), calls of methods with
// arguments, quantifiers over anything but the indices of slices.
package expr
