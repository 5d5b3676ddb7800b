// Package fuzztarget exchanges inputs with Go's native fuzzing.
//
// Write makes a fuzz target for each exported function that can be called with numbers and strings: a
// candidate whose literals are the target's parameters. Candidates come from the package's tests, from
// the tests of crashes and counterexamples, and are drawn at random where none of these calls the
// function. Those that differ in their literals alone are the seed corpus.
//
// In the other direction, Sources turns the inputs that native fuzzing kept into tests that package carve
// makes candidates of, for any fuzz target, and Encode writes the candidates that random testing kept as
// inputs of these targets.
//
// Files, in reading order: target.go (targets), slice.go (one call of a test), corpus.go (inputs).
package fuzztarget
