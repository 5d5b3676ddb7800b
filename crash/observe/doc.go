// Package observe runs tests in a copy of the testee that reports the outcome of each condition and
// the results of the calls that the checker does not follow. The reports show where a run left the
// path of a counterexample, and why.
//
// # Algorithm
//
//  1. Rewrite the package and those of its module that it imports: conditions, clauses and loop
//     bodies report, and so do the arguments and results of calls that leave the module.
//  2. Run the tests one by one, as package testrun does.
//  3. Read what they reported back from their output.
//
// # Limits
//
// A run reports its first conditions and calls only; package run has the numbers. Calls in go and
// defer statements and outside functions report nothing. Values are read to a small depth.
//
// # Files
//
// rewrite.go rewrites a package, observe.go runs the tests, path.go compares a run with a path.
// run/ is the runtime.
package observe
