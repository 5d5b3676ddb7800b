// Package compose writes the inputs of a counterexample as Go source.
//
// In: a warning (an object graph, schemas.Counterexample) and the type-checked function that it is about. Out: a
// Candidate: a Go test of that package that builds the inputs and makes the call, and nothing else. What the
// counterexample leaves free gets the zero value.
package compose
