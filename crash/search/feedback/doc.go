// Package feedback collects what a search learns from running candidates.
//
// A Monitor collects the candidates that reach new code, which are worth mutating, and the
// operations that cost much time, which are avoided. ReadCrash parses the panic of a candidate.
// Evidence compares candidates that lead to the same crash.
//
// Files, in reading order: monitor.go, costs.go (what candidates cost), batch.go (how many to run at a time), crash.go,
// evidence.go.
package feedback
