// Package stackpath looks for inputs that lead to a panic along a given stack, and nowhere else.
//
// In: the frames of a stack trace, located in the source, with what the text of the panic says of
// values and arguments. Out: for each frame, from the crash outwards, whether its function has
// inputs that lead exactly along the calls at the frames' lines to the panic, and a counterexample
// if so [STAR 3.1]. It is the same execution as that of package check: vcgen follows the calls of
// the stack in any case, and emits the obligations of the panic alone.
//
// STAR computes backwards, path by path. Here all paths of a frame are one formula per obligation;
// its three optimizations have other forms, see Options.Without.
package stackpath
