// Package compose writes generated tests: object graphs as Go source.
//
// The input is a counterexample or a recorded call (an object graph, schemas.Counterexample) and
// the type-checked function that it belongs to. The output is a Test: a Go test in the package of
// the function that builds the inputs and makes the call, and nothing else. What the graph leaves
// open gets the zero value. There are four ways:
//
//	Compose       the inputs as literals, with constructors for types of the standard library
//	Recorded      the same for a recorded call: values must be exactly those recorded
//	Loaded        a recorded call whose values are loaded from a JSON file (package load)
//	CallTemplate  a sequence of exported calls; the counterexample gives their arguments
//
// Writing goes as follows. survey (graph.go) counts the references to each object and finds cycles.
// Then the body is written front to back: an object with one reference becomes an expression in
// place, others become variables first, and an object on a cycle is filled after it has its
// variable (value.go, slice.go, iface.go). Types are written as the test's package names them
// (types.go), and names are kept apart (name.go).
//
// Not every graph can be written: a field may be out of reach, or a type. Then an *Error says why.
package compose
