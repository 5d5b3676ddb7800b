// Package vcgen turns lowered functions into verification conditions.
//
// In: a function's guarded commands (check/ir) and those of what it calls (check/lower.World). Out: for every place
// where it could panic, an Obligation: the condition under which control gets there, and the one under which the
// panic does not happen. The panic is possible if and only if the first can hold without the second.
//
// One pass over the blocks does all, an idea a file:
//
//	start.go       package-level variables are initialised
//	execute.go     assignments disappear: every variable is a term over the inputs (substitute.go) [WP 3]
//	merge.go       states are merged at joins; pathcond.go is what holds in a state
//	unroll.go      loops are unrolled up to a bound
//	inline.go      calls are replaced by the callee's commands, up to a bound; others by what is known of them
//	recursion.go   recursion that does not end
//	unwind.go      panics go to the deferred calls where one may recover
//	obligation.go  assertions become obligations
//	vcgen.go       the results
//
// Passive commands commute: wp(assume A, Q) is A => Q and wp(assert A, Q) is A and Q. So for an assertion C in block B
// the failure not wp(program, C) is, with all other assertions assumed, "B is reached, and not C"; and the condition of
// reaching B is named once and shared by all that comes after, which keeps its size linear [WP 4]. wellformed.go adds
// what is true of all inputs.
package vcgen
