// Package confirm turns warnings into crashes: it writes the counterexample of each warning as a Go
// test, runs the test, and keeps the warnings that really panic [DSD 4.3, 5.4, 6.4.3].
//
// In: a warnings document, and the program that it is about. Out: a crashes document. The steps:
//
//  1. Write the counterexample as a test whose inputs are literals (package compose), and run it.
//     The warning is confirmed if the test panics with the warned kind at the warned line. A test
//     that panics otherwise shows a crash of its own.
//  2. A literal may set unexported fields, which no user of the package can write. For each warning
//     that only such a literal confirms, or that no literal can express, run sequences of exported
//     calls, guided by the values of the counterexample (package campaign). A sequence that crashes
//     replaces the literal [STAR 4].
//  3. Where that finds none, ask the solver for the arguments of short call sequences [STAR 4.5.2].
//  4. Leave out what the policy suppresses, and group the rest by stack (package report).
//
// Each warning that no reported crash, or its group, shows is listed with a reason. reason.go names
// the places where the reasons are worded.
//
// Not handled: results of havocked calls are not fed back to the solver, so a counterexample that
// depends on them is only tried as it is.
//
// Files in reading order: confirm.go, literal.go, sequence.go, solve.go, reason.go.
package confirm
