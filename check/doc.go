// Package check is the static stage: it proves that functions do not panic, or warns with a counterexample.
//
// Load packages (internal/source) and, for the user level, an invariants document; Run goes from there to a warnings
// document:
//
//	lower   Go to guarded commands (ir)            once a function
//	wp      guarded commands to obligations        once a function analysed, callees inlined
//	smt     can an obligation fail?                a query each, in one session a function
//	graph   the solver's model as Go values        for the warnings
//
// Along follows a stack in place of whole functions: the same, for one panic, from the crash outwards [STAR 3].
//
// Sources: [ESC], [WP], [DSD 3, 5, 6].
package check
