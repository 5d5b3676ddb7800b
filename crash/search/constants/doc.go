// Package constants collects values for the literals of candidates.
//
// Random numbers and strings seldom pass the checks of a real function. The source of a package and
// its tests hold values that do. Collect gathers, for one package:
//
//   - corner cases of each basic type, and the constants of the source and the tests;
//   - pieces of the sample files that the tests read;
//   - JSON texts that the structs of the package are decoded from;
//   - the words of all these strings, from which strings are mutated;
//   - the values that a certain parameter or field is usually given: those that a trace of the
//     tests shows, those that calls in the source pass, and the constants that a function itself
//     uses.
//
// Usual values are matched by name only, without type checking: tests often do not build where the
// package is a dependency.
//
// Files, in reading order: literal.go (one literal), source.go (the constants of a package),
// usage.go (usual values of parameters and fields), observed.go (values in a trace), samples.go
// (sample files), documents.go (JSON texts), vocabulary.go (words), collect.go (Collect and its result).
package constants
