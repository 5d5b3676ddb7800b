// Package explain tells people what a warnings document says.
//
// In: a warnings document, and perhaps the invariants it assumed. Out: text, a line a warning (Text), or the whole of
// one warning: the way through the source, the inputs, and what was assumed (Warning) [compare DSD 3.7].
package explain
