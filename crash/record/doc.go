// Package record lets a program keep the arguments of its functions until they return, so that a panic writes down what they were
// called with [REC].
//
// In: packages of the main module and of its dependencies, and the go command's arguments. Out: the go command's run on rewritten
// sources, and a recording (schemas.Recording): the object graph of each frame's arguments. Nothing is wrapped, since that would change
// what recover and runtime.Caller do: a function's first statement defers one that acts only if the function does not return.
package record
