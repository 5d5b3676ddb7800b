// Package logic has the terms that the static checker computes with: booleans, fixed-width integers (bit vectors),
// IEEE floating point, and memories (from an object and a slot to a value).
//
// Terms are made by a Builder, which shares equal terms and simplifies as it builds: the better part of a program's
// conditions is decided here and never reaches the solver. Memories exist only while terms are built: a read of a
// memory is resolved through all writes, down to the initial contents, which are an uninterpreted function of object
// and slot. So what is left for the solver is bit vectors, floats and uninterpreted functions.
//
// eval.go evaluates a term under a model by the definitions of this package, independently of the solver; smtlib.go
// writes terms as SMT-LIB 2.
package logic
