// Package smt asks an SMT solver whether terms can be true.
//
// A Session sends SMT-LIB 2 text and returns what the solver prints. It is either a Z3 context in
// this process or a solver process that reads its standard input. A Solver asks about the terms of
// a logic.Builder in a session: it declares variables once, wraps every query in push and pop, and
// reads the values of a model back.
//
// Check gives Sat with a model, Unsat, or Unknown. Unknown means that the solver ran out of its
// budget; that is an answer, not an error. An error means that the session is lost or that the
// solver refused the query.
//
// The files, in reading order:
//
//	session.go  the interface Session
//	z3.go       a context of libz3, the only file with cgo
//	process.go  a solver process
//	solver.go   queries and verdicts
//	values.go   a parser of the values in a model
package smt
