// Package check is the static stage: it proves that functions do not panic, or warns with a
// counterexample.
//
// In: loaded packages (internal/source) and, for the user level, an invariants document. Out: a
// warnings document. Run schedules the functions, callees first; what happens to each is in
// packages of their own:
//
//	lower      Go to guarded commands (ir)                     per function
//	vcgen      guarded commands to obligations                 per function analyzed, callees inlined
//	query      can an obligation fail?                         a few queries per obligation
//	smt        a query to the solver and its answer            a session per function
//	prove      the analysis of a function, from obligations to findings; what callers may rely on
//	finding    a finding as a warning, with Go values for the solver's model
//	stackpath  the same for one panic along a given stack, from the crash outwards [STAR 3]
//	summary    what functions of the standard library ensure, from their source; run by hand
//	explain    a warning for people
//
// In this package: check.go schedules, contracts.go finds the invariants of each function,
// shard.go divides and joins documents, document.go puts the results in order, ensures.go proves conditions at the return of a function.
//
// Sources: [ESC], [WP], [DSD 3, 5, 6]. Not handled: what goroutines do at the same time; functions
// that the document lists as skipped; executions beyond the bounds that it lists.
package check
