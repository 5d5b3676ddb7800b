// Package confirm turns warnings into crashes: it writes the counterexample of each warning as a Go
// test, runs the test, and keeps the warnings that really panic [DSD 4.3, 5.4, 6.4.3].
//
// In: a warnings document, and the program that it is about. Out: a crashes document. The steps:
//
//  1. Write the counterexample as a test whose inputs are literals (package compose), and run it.
//     The warning is confirmed if the test panics with the warned kind at the warned line. A test
//     that panics otherwise shows a crash of its own.
//  2. Where a test did not crash as warned, observe its run, and ask the solver again under what the
//     calls returned that check does not follow; up to three rounds. Where a run left the way to
//     the panic at a comparison, ask with the operand that it had there.
//  3. A literal may set unexported fields, which no user of the package can write. For each warning
//     that nothing confirms, or only such a literal or a call of an unexported function, run
//     sequences of calls, guided by the values of the counterexample and by the way to the panic
//     (package campaign). A sequence that crashes and that more users can write replaces the
//     literal [STAR 4].
//  4. Where that finds none, ask the solver for the arguments of short call sequences [STAR 4.5.2].
//  5. Leave out what the policy suppresses, and group the rest by stack (package report).
//
// Each warning that no reported crash, or its group, shows is listed with an outcome and a reason:
// the fact of a run that refutes it, why it is open, or the policy. reason.go names the places where
// the reasons are worded.
//
// Unknown calls, by kind: a function or method of another module, a method of an interface and a
// function of the module that is too far away are observed and become facts. Arguments that are
// pointers, interfaces or functions count as equal, and so do receivers; of calls with equal
// arguments and different results, either result may be. What a call writes through its arguments,
// callbacks that it calls, and closures are not facts: the search has to find what depends on them.
//
// Files in reading order: confirm.go, literal.go, refine.go, refuted.go, sequence.go, goal.go,
// solve.go, reason.go.
package confirm
