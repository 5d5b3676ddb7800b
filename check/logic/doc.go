// Package logic holds the terms that the static checker computes with: booleans, fixed-width
// integers (bit vectors), IEEE floating-point numbers, and memories (maps from an object and a slot
// to a value).
//
// A Builder makes terms. It shares equal terms and simplifies each term as it is built, so that
// most conditions of a program are decided here and never reach the solver. Memories exist only
// during building: Select resolves a read through all writes down to the initial contents, which
// are an uninterpreted function of object and slot. A finished term contains bit vectors, floats
// and uninterpreted functions only.
//
// A Model evaluates terms by the definitions of this package, independently of the solver. A Writer
// writes terms as SMT-LIB 2.
//
// The files, in reading order:
//
//	term.go      sorts, operators, terms and variables
//	graph.go     sets of terms, and the parts of terms by numbers
//	build.go     the builder: sharing, and simplification of booleans, choices and equations
//	intern.go    hash tables of terms, and of reads
//	arith.go     simplification of integer and float operations
//	ranges.go    bounds of integers by the form of their terms, which decide comparisons
//	memory.go    reads and writes of memories
//	writes.go    writes that a read can pass at once
//	regions.go   objects that cannot be equal
//	eval.go      values of terms under a model
//	abstract.go  float operations replaced by variables
//	smtlib.go    terms as SMT-LIB 2
//
// Not handled: integers of more than 64 bits, floats other than those of 32 and 64 bits, different
// NaNs, quantifiers.
package logic
