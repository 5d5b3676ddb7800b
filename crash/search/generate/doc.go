// Package generate draws candidates from a parameter graph at random, and mutates them.
//
// A value of a type is drawn by choosing one of its producers, and then drawing the producer's
// arguments in the same way, up to a depth. Each producer has the same chance. Drawing uniformly
// from all values, as [DSD 4.2.2] does, would favour deep ones: most values are made by a few
// operations with many arguments. Some choices are biased, towards
//
//   - values that an argument usually has, and hints about the arguments of certain calls;
//   - results that the candidate has already, so that several calls act on one object;
//   - objects that are made by a sequence of calls from a usage model [SEED 3.2];
//   - proper values: nil and what users of the package cannot make are drawn seldom.
//
// A Sampler takes all its decisions from one source of random numbers: the same seed gives the same
// candidates.
//
// Files, in reading order: sampler.go (drawing values and candidates), argument.go (arguments and
// literals), behavior.go (objects from usage models), reuse.go (results that exist), mutate.go
// (mutations), sweep.go (removing unused values).
package generate
