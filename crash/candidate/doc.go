// Package candidate runs generated call sequences against a package of the testee, many per second.
//
// A candidate is a Program: statements over a table of operations (Op), such as "call New", "call
// (*Stack).Push on result 0 with result 1" or "the integer 5". All candidates of a package run in
// one compiled binary, the harness, so that trying another one costs no compilation. Package
// testrun is the other kind of execution: it compiles generated tests and runs each in a process of
// its own, which is slower and faithful; what candidates find is confirmed there.
//
// The flow, from the caller's side:
//
//  1. Build rewrites the testee (crash/candidate/instrument), writes the table of operations as a
//     Go file of the package, adds the runtime (crash/candidate/run) to the module and compiles all
//     three into the harness. Operations that do not compile are dropped.
//  2. A Runner starts the harness, confined (internal/confine), and sends it batches of programs.
//  3. The runtime executes the programs one after the other. After each one it resets the
//     package-level variables that may have changed, by their own initializers [DSD 8.4].
//  4. The Runner returns the events of the batch: panics, blocks executed for the first time,
//     exits, hangs and so on. A candidate that ends the process costs only itself: the Runner
//     starts a new process for the rest of the batch.
//
// For guided search, the Runner also returns per candidate the distance to a stack that is to be
// reproduced (BuildOptions.Target, the trail), and Climb lets the runtime itself try variants of
// candidates that come near. BuildOptions.Goals compares the arguments of calls with
// counterexamples.
//
// Files:
//
//	op.go        operations and their forms in Go
//	table.go     the Go file that hands the operations to the runtime
//	program.go   programs, their encoding and their variants
//	harness.go   Build
//	runner.go    batches, events and limits
//	process.go   one process of the harness and the protocol that it speaks
//	writetest.go a program as a readable Go test, or as a function of its literals
//	literal.go   literals in Go
//
// Not handled: packages with cgo are not instrumented, state outside package-level variables
// (files, goroutines left behind, state of other modules) is not reset, and a candidate that
// another one's goroutine disturbs is not recognized; hence the confirmation by testrun.
package candidate
