// Package infer learns what seems to be always true of a module, from runs of its tests or
// programs.
//
// Input: packages, or documents of earlier runs. Output: documents, as package schemas defines
// them. The stages:
//
//	Trace       packages -> instrument -> go test -> trace
//	Invariants  traces -> invariant -> invariants
//	Models      packages -> usage -> usage models
//
// FromDaikon learns from files of Daikon's front ends instead of traces. Merge joins traces, and
// Join joins invariants. Show prints a document, Violations checks one against a trace, and Diff
// compares two.
//
// Invariants works in passes over the traces:
//
//  1. Each program point learns from its samples; a type learns from the samples of all its
//     exported methods [DAIKON: program point hierarchy].
//  2. If there are interfaces, their preconditions are known now. Executions of a method count
//     for the interface's method if their inputs satisfy its preconditions [DSD 7.4].
//
// Not handled: tests that fail. Their samples are dropped.
//
// Sources: [DAIKON], [DSD 6.3, 7], [SEED 3.1].
//
// The files, in reading order:
//
//	trace.go       runs the instrumented tests and writes a trace; gotest.go: go test
//	runprogram.go  the same for a program of the module
//	merge.go       joins traces; the canonical order of points and samples
//	invariants.go  learns invariants; the document
//	reader.go      reads traces in parallel
//	types.go       type invariants
//	credit.go      interfaces
//	join.go        joins documents
//	violations.go  invariants that a trace contradicts
//	diff.go        changes between two documents
//	show.go        a document as text
//	models.go      usage models
package infer
