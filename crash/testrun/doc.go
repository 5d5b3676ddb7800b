// Package testrun runs candidates: generated tests, compiled into one binary a package and run one a process, so that
// each sees the package-level state of a fresh program [DSD 8].
//
// In: Go test files by package. Out: what each test printed and how it ended. The testee is not written to; the tests
// run in a scratch directory with a bound on time and memory.
package testrun
