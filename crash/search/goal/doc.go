// Package goal draws candidates towards the inputs of a counterexample [STAR 4.5].
//
// A counterexample gives the values of the arguments of a function, down to the fields of the
// objects that they refer to. Unexported fields cannot be written from outside the package, so the
// objects must be brought into that state by calls. A Plan does so in two ways:
//
//   - it draws a call of the function with arguments that match the counterexample, as far as
//     literals, composites and conversions can express them; the rest is random;
//   - the runtime reports the candidates that meet more conditions of the counterexample than any
//     before. The plan keeps these and adds calls before the last one, above all of functions that
//     write a field that the counterexample constrains [STAR 4.5.3].
//
// [STAR 4.5.2] composes a sequence deductively, backwards from the wanted state, by the summaries
// of the paths through each method. Here sequences are found by running them: a run takes
// microseconds.
//
// Files, in reading order: goal.go (goals and plans), modset.go (what functions write), draw.go
// (drawing candidates), value.go (values that match a counterexample).
package goal
