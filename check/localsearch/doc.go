// Package localsearch looks for models of terms without the solver: it assigns values to the inputs,
// evaluates, and repairs what is false.
//
// In: terms (logic), and a budget of work. Out: a model in which all of them are true, with small
// values where these suffice, or nil. It cannot show that there is none.
//
// A step chooses a false term and walks from it down to an input. At each operator it computes the
// value that one operand must have for the operator to have the value wanted of it, given the other
// operands. That is propagation-based local search [Niemetz, Preiner, Biere: Propagation Based Local
// Search for Bit-Precise Reasoning, FMSD 51, 2017]. A step after which more terms are false is
// usually taken back. The sequence of steps is the same each time.
//
// The files, in reading order:
//
//	search.go     the search: starts, steps, budget
//	state.go      the values of all terms, and their evaluation
//	propagate.go  from a false term down to an input
//	inverse.go    the operand for a value of an integer operation or comparison
//	float.go      likewise, of floats
//	corner.go     values from the corners of the inputs' types
//	shrink.go     smaller values in a model
package localsearch
