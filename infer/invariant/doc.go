// Package invariant learns likely invariants from samples [DAIKON].
//
// In: a program point's variables and its samples, one at a time (Point, Gatherer, Row). Out: the instances of the templates that no sample contradicted and
// that chance does not explain (schemas.Invariant).
//
// Samples gather in a batch, which is looked at column by column (batch.go): variables that were always equal are one set (equality.go), each
// set has a summary of its values (column.go; sequence.go of sequences), each pair of sets that is not constant one of what they have to do
// with each other (relation.go, sequences.go, elements.go), and each three (triple.go, plane.go). So the size of a point does not depend on the number of
// samples, and what is learned does not depend on their order. Points of parts of the samples tell what holds if a call fails, or
// if what the source asks is so (split.go, compile.go). Variables are derived from sequences (derive.go). A Condition evaluates what was
// learned in other samples (eval.go); Entails says what follows from what (entail.go).
package invariant
