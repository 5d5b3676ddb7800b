// Package schemas holds the documents through which infer, check and crash talk: their Go types, their JSON Schemas,
// and the only code that reads and writes them. It imports nothing of ours.
//
//	trace        infer trace       ->  infer invariants            JSON Lines, perhaps gzipped
//	invariants   infer invariants  ->  check, crash                JSON
//	warnings     check             ->  crash confirm               JSON
//	crashes      crash             ->  crash report                JSON
//
// documents.go has the types, one comment a field; NAME.schema.json says the same to programs that are not ours,
// and a test holds the two together. testdata/ has an example of each document.
//
// # Reading
//
// ReadInvariants, ReadWarnings, ReadCrashes and NewTraceReader ask, in this order, and stop at the first no:
// is it JSON (decode), is it the right document in a version we know (identify), does it keep to its schema
// (validate.go), does it hold together where a schema cannot tell (consistent.go). Only then do Go values come out,
// so no caller has to check an enum, a pattern, an id or an index again. An error is one line: the input's name, the
// JSON path, the problem:
//
//	w.json: warnings[3].counterexample.params[0].type: want a string, got number
//
// The lines of a trace come by the million. Those in the form that TraceWriter gives them are taken apart by hand;
// any other line goes the way of the documents, which finds out whether it is only unusual or wrong (trace_read.go).
//
// # Writing
//
// Writers ask the same questions of what they are about to write, so a stage cannot write what the next one refuses.
// The bytes depend on the value alone: keys in the order of the Go fields, no time stamps, lists that must be there
// as [] and never as null. A string that is not UTF-8 does not survive JSON (each bad byte becomes U+FFFD): where
// bytes matter, the documents hold Go literals.
package schemas
