// Package reproduce makes a test from the text of a panic: one that panics with the same kind, at
// the same line, and with as many frames of the stack in common as possible.
//
// In: a panic (package stack) and the build around a directory. Out: a crashes document with one
// crash or none, and what was tried. The steps:
//
//  1. Locate the frames in the build, and load the innermost module that has a function on the
//     stack (package origin).
//  2. Search that module's packages with a guided genetic algorithm (package evolve). Its fitness
//     is the distance to the lines of the stack [EVO]. The search starts from candidates carved
//     from tests, from usage models [SEED], and from values in the message and the recorded
//     arguments.
//  3. At the same time, solve the path along the stack for the inputs of each function [STAR]. A
//     solution is a test of its own, and its values are used by the search.
//  4. Solve, too, for the literals of the search's best candidates: concolic steps from where the
//     search is stuck.
//  5. Run each candidate that crashes as a test (package verify). Keep the one with most frames in
//     common; among equals, one that uses exported names only and crashes every time. Stop when no
//     better one can exist.
//
// Without a crash, the document has the candidate of the best fitness, and the conditions that it
// does not meet.
//
// Not handled: panics whose stack has no function of the build.
//
// Files in reading order: reproduce.go, target.go (what is looked for), search.go, verify.go, solve.go, path.go, document.go.
package reproduce
