// Package smt talks to the solver.
//
// In: SMT-LIB 2 text. Out: the text of the answers. A Session is a Z3 context in this process (z3.go, the only file
// with cgo), or a process that speaks SMT-LIB 2 on its standard streams (process.go). A time-out or a solver that died
// is an answer (Unknown), not an error: it costs one question, not the run.
package smt
