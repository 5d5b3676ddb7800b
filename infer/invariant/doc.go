// Package invariant learns likely invariants from samples [DAIKON].
//
// In: a program point's variables (schemas.TraceVar) and its samples, one at a time. Out: the instances of the
// templates that no sample contradicted and that chance does not explain (schemas.Invariant).
//
// A Point keeps a summary for every variable and for every pair of comparable ones, so its size does not depend on
// the number of samples. template.go has the templates and their statistics.
package invariant
