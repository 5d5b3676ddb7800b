// Package assertion turns learned invariants into Go code that checks them while a program runs, in tests
// or in production.
//
// Rewrite returns the files of an overlay, for go build -overlay. A function with invariants gets, behind
// its opening brace and in the same line, so that positions stay, a block like
//
//	if _dsd_as.On { // a constant, true with the build tag
//		_dsd_v0 := int64(x); if !(_dsd_v0 >= 0) { _dsd_as.Violated(3, true, _dsd_v0) };
//		defer func() { [the same for the exit] }()
//	}
//
// The package check is part of the overlay: it counts, logs, or panics. Without the build tag, the
// compiler removes the blocks.
//
// An assertion says what infer check says of a trace: an invariant that reads what does not exist (behind
// nil, or out of range) holds. It differs in that every call is checked, and strings are compared whole.
package assertion
