// Package infer is the dynamic stage that comes first: it runs the testee's own tests, instrumented, and learns from
// what it sees.
//
// Trace: packages -> infer/instrument -> `go test` -> a trace document. Invariants: traces -> infer/invariant -> an
// invariants document; infer/dtrace reads and writes the files of Daikon's front ends in place of traces. Merge joins
// traces, Show prints a document, Violations holds one against another trace, Diff compares two. Models: a loaded module -> infer/usage, from its source
// and its tests -> a models document. Sources: [DAIKON], [DSD 6.3, 7], [SEED 3.1].
package infer
