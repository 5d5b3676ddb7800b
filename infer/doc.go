// Package infer is the dynamic stage that comes first: it runs the testee's own tests, instrumented, and learns from
// what it sees.
//
// Trace: packages -> infer/instrument -> `go test` -> a trace document. Invariants: traces -> infer/invariant -> an
// invariants document. Models: a loaded module -> infer/usage, from its source and its tests -> a models document. Sources:
// [DAIKON], [DSD 6.3, 7], [SEED 3.1].
package infer
