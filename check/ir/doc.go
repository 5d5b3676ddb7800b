// Package ir declares the guarded commands that Go functions are lowered to.
//
// A guarded-command program is small enough for a verification condition: it has no expressions
// with side effects, no types but scalars and memories, and panics are explicit assertions. Package
// check/lower produces it from Go syntax; package check/vcgen executes it symbolically.
//
// The commands, with their printed form:
//
//	Assign  x := (bvadd x 1)         x becomes the value of the term
//	Assume  assume c                 drops the executions in which c is false
//	Assert  assert c kind            panics if c is false
//	Havoc   havoc x, y               x and y become any values of their domains
//	Alloc   alloc x                  x becomes the identity of a fresh object
//	Grow    grow x                   x becomes the capacity of a slice that append allocates
//	Call    x := call f[a b]         calls a function, a function value or a method
//
// Commands are grouped in blocks, and each block has one end:
//
//	Jump    goto 3
//	Branch  if c goto 2 else 5
//	Return  return                   leaves the function with its results
//	Unwind  unwind                   leaves the function with a panic
//	Stop    stop                     ends the execution
//
// Variables are scalars or memories (logic.Var). Expressions are terms over them, which are read
// when the command runs. Memories are shared by all functions; scalars belong to one.
//
// Blocks are numbered in program order. A jump to the same or a smaller number closes a loop, and
// the blocks of a loop are consecutive: [Head, Last]. Check states these invariants.
//
// The idea of a few statements that suffice for a whole language is that of ESC/Java's guarded
// commands [ESC].
//
// Files, in reading order: ir.go declares functions, blocks, commands and ends; origin.go says
// where functions come from; contract.go declares learned invariants; print.go prints functions;
// check.go checks the invariants of this package; live.go computes live variables.
package ir
