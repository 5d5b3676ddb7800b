// Package vcgen turns lowered functions into verification conditions, by executing their guarded
// commands symbolically.
//
// In: a function's guarded commands (check/ir) and those of what it calls (World). Out: for every
// place where it could panic, an Obligation: the condition under which control gets there, and the
// one under which the panic does not happen. The panic is possible if and only if the first can
// hold without the second.
//
// For passive commands, those without assignments, the weakest precondition is [WP 4]
//
//	wp(assume A, Q) = A => Q
//	wp(assert C, Q) = C && Q
//
// so these commands commute, and with all other assertions assumed, the failure of an assertion C
// in block B, not wp(program, C), is "B is reached, and not C". The condition of reaching B is
// named once and shared by all that comes after, which keeps the size linear.
//
// One pass over the blocks of a function does all, an idea per file:
//
//	vcgen.go         the results
//	start.go         package-level variables are initialized
//	execute.go       assignments disappear: every variable is a term over the inputs [WP 3]
//	substitute.go    a command's term over the current values of the variables
//	pathcond.go      what holds in a state, as a list that grows
//	merge.go         states are merged at joins
//	unroll.go        loops are unrolled up to a bound
//	loopsummary.go   any number of passes at once
//	inline.go        calls are replaced by the callee's commands, or what is known of it is assumed
//	beside.go        goroutines, and functions that others may call
//	recursion.go     recursion that does not end
//	unwind.go        panics go to the deferred calls that may recover
//	obligation.go    assertions become obligations
//	wellformed.go    what holds of all inputs, and what small inputs are
//
// Whether a loop is unrolled further or a call inlined is decided in unroll.go and inline.go alone
// (enterLoop, mayInline), by counts: the result depends on the program and the Options. What a
// bound cuts off is listed in Program.Bounded. Not handled: what goroutines do at the
// same time (a go statement may write what its function can reach), and loops beyond their bound.
package vcgen
