// Comparedaikon counts which of the invariants that Daikon prints our invariants state as well.
//
//	go run ./scripts/comparedaikon [-v] [-t] NAME:PRINTED:DOCUMENT...
//
// PRINTED is what daikon.PrintInvariants prints for a trace. DOCUMENT is what infer invariants
// learned from the same files. For each argument, a line has the number of invariants that were
// found, and below it are the kinds of the missing ones; -v prints each of them.
//
// With -t, each of Daikon's invariants is negated first: x < y becomes x >= y, and
// one of { 1, 2 } becomes one of { 2 }. Ours hold for all samples, so none of these should be
// found. The flag measures whether this program counts too much; -v then prints what was found.
//
// # The problem
//
// The two tools print the same knowledge in different forms. Each leaves out what follows from
// something else that it prints, but not the same. So an invariant of Daikon's, called a claim
// here, counts as found if it follows from all invariants of ours at the same program point.
//
// # The algorithm
//
//  1. Parse a line of Daikon's into a claim, with trees of our language as operands. Parse the
//     expressions of our document. Bring both into a canonical form, in which a variable has one
//     name.
//  2. Turn the invariants of a point into facts: difference bounds x - y <= c, classes of equal
//     variables, sets of values, linear equations, and sets for what remains. At an exit, the facts
//     of the entry are those of the old values. An invariant that is guarded by the existence of
//     its variables counts where the claim is about these variables.
//  3. Decide the claim from the facts. Bounds follow by shortest paths (Bellman and Ford),
//     equations by Gaussian elimination, the rest by looking at the sets. The premise of an
//     implication of Daikon's must entail the guards of one of ours.
//  4. A claim about an exit also counts if it holds at every single return. One about a type must
//     hold at all points of its methods.
//
// Difference bounds are as in A. Miné, "A New Numerical Abstract Domain Based on Difference-Bound
// Matrices" (PADO 2001). The forms of the lines are those of Daikon 5.8.25.
//
// # Strength
//
// The decision is incomplete. Not handled are prefixes of strings, bit operations, products,
// relations of two sequences but equality, and sums with more than two variables that need several
// bounds at once. It is sound for integers; for floats, x < y is taken as x <= y - 1, as if they
// were integers, so a document whose floats are close to each other may state too much. Equalities
// with guards are chained, although the guards may exclude each other.
//
// # Files
//
// In reading order:
//
//	main.go      the command: sections of a printed file, counts
//	claim.go     the forms of Daikon's lines
//	term.go      the parser of Daikon's operands and names
//	names.go     the canonical form; sequences, elements, values at the entry
//	value.go     sets of constants
//	linear.go    sums of variables
//	facts.go     what the invariants of a point state: paths, classes and equations
//	adder.go     the facts of a condition
//	document.go  the points of a document, and guards of existence
//	judge.go     claims at points, implications
//	holds.go     claims of each form
//	compare.go   comparisons of two operands
//	rewrite.go   claims restated as others
package main
