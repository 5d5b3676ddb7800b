// Package invariant learns likely invariants of a program point from samples of its variables
// [DAIKON].
//
// Input: the declaration of a point, which lists its variables, and samples, each with one value
// for each variable. Output: the instances of templates, such as x < y, that no sample contradicted
// and that are improbable by chance (schemas.Invariant).
//
// The algorithm:
//
//  1. Variables are derived from sequences: length, first and last element, sum, elements at
//     integer variables.
//  2. Samples are collected in batches, which are processed column by column.
//  3. Variables that were equal in all samples form equality sets. Only the leader of a set has
//     summaries. A set whose members differ in a batch is split, and the new leader copies the
//     summaries of the old one.
//  4. Each leader has a summary of its values; each pair of comparable leaders, of which one is not
//     constant, a summary of their relations; each such triple of integers, too.
//  5. The samples of an exit are also divided by conditions, such as err != nil. Each part learns
//     as a point of its own. What holds in one part only becomes an implication.
//  6. At the end, each template emits its instance with a confidence: the probability that it did
//     not hold by chance. Instances of low confidence and those that others imply are left out.
//
// A summary is small and does not grow with the number of samples. The result does not depend on
// the order of the samples, nor on how they are distributed over batches and Gatherers.
//
// Strength: every invariant holds in all samples in which its variables exist. It may be false for
// other executions.
//
// Not handled: relations of four or more variables, or of three that do not always exist; triples
// in parts; arithmetic on floats; quantifiers over anything but the elements of sequences.
//
// Sources: [DAIKON] for templates, derived variables, equality sets, conditional invariants and
// confidence; [DSD 6.4.2] for the templates that check does not assume.
//
// The files, in reading order:
//
//	value.go         how values are coded as integers
//	batch.go, row.go samples by column, one sample by variable
//	gather.go        collects samples
//	point.go         the state of a point and the learning loop
//	equality.go      equality sets
//	derive.go        derived variables
//	column.go        the summary of one variable; distinct.go, arithmetic.go, text.go: parts of it
//	scalar.go        templates over one variable; confidence
//	sequence.go      the summary of a sequence variable
//	pair.go          the summary of two variables; arithmetic.go: lines
//	sequencepair.go  two sequences, or a scalar and a sequence
//	elementorder.go  all elements of a sequence compared with a variable
//	emptiness.go     slices and maps that are nil when empty
//	triple.go        the summary of three integers; plane.go: planes
//	split.go         parts of the samples, implications; compile.go: their conditions
//	report.go        the list of invariants; receiver.go, transitive.go: parts of it
//	eval.go          the value of an invariant in another sample
package invariant
