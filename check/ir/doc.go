// Package ir declares the guarded commands that Go functions are lowered to.
//
//	Assign  v := t
//	Assume  c            executions in which c is false do not count
//	Assert  c            a panic of Kind at Pos if c is false
//	Havoc   v            v becomes any value of its domain
//	Alloc   v            v becomes the identity of a fresh object
//	Call                 of a function, a function value or an interface's method
//
// grouped in blocks that end in a Jump, a Branch, a Return or a Stop. Variables are scalars (logic.Var) or memories;
// expressions are terms over them, read when the command runs. Blocks are numbered so that a jump to a number not
// larger than one's own closes a loop, and so that a loop's blocks are consecutive: [Head, Last].
package ir
