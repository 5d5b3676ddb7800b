// Package carve turns the tests of a package into candidates [SEED 3.4].
//
// What a test does to the package becomes statements over the operations of the parameter graph.
// The tests are read, not run: the tests of a dependency seldom build where it is one. They are
// type-checked as far as their imports are in the build; what has no type is left out. A walker
// follows the statements of each test function in order:
//
//   - a variable stands for the result of a statement, or for a composite literal;
//   - a call of a function of the graph becomes a statement, after its arguments;
//   - an expression without variables becomes an operation of its own, with the text of the source;
//   - the body of a loop over a table of cases is followed once for each row, each time as a
//     separate candidate; other loops are followed once;
//   - both branches of a condition are followed, one after the other;
//   - the body of a function that the test files declare is followed in place of its call.
//
// What cannot be expressed by operations is passed over, so a candidate may do less than its test.
//
// [SEED 3.4] clones a test from the trace of its execution. Reading the source needs no build, but
// does not see the values of loop variables.
//
// Files, in reading order: carve.go (the tests of a package), walk.go (statements), value.go
// (expressions), call.go (calls), helper.go (functions of the tests), expression.go (expressions as text), types.go (types of the tests
// as types of the graph).
package carve
