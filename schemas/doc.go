// Package schemas holds the documents through which infer, check and crash communicate: their Go
// types, their JSON Schemas, and the only code that reads and writes them. Of this module it
// imports internal/expr alone.
//
//	trace       infer trace       -> infer invariants, merge, diff, check; crash random
//	invariants  infer invariants  -> check, crash, infer show, diff
//	changes     infer diff        -> people and scripts
//	models      infer models      -> crash reproduce
//	warnings    check             -> crash confirm, check explain
//	crashes     crash             -> crash report
//	panic       crash stack       -> people and scripts
//	recording   crash record      -> crash replay, crash reproduce
//
// A trace is JSON Lines, perhaps gzipped. The others are JSON.
//
// Each document has a file with its Go types, one comment per field, and NAME.schema.json, which
// describes the same for other programs; tests hold the two together. testdata has an example of
// each document. EXPRESSIONS.md is the grammar of the conditions in invariants; its forms and
// functions are implies, forall, old, len, cap, sum, min, max, gcd, typeof, has, contains,
// distinct, subset, subsequence, reverse, slices.Equal, strings.HasPrefix, strings.HasSuffix and
// constant.
//
// # Reading
//
// ReadInvariants and the other readers, and NewTraceReader, check a document in this order and stop
// at the first problem:
//
//  1. it is JSON (decode);
//  2. it is the wanted document, in a version that this package knows (identify);
//  3. it satisfies its JSON Schema (validate.go);
//  4. it is consistent where a schema cannot tell (consistent.go).
//
// So no caller has to check an enumeration, a pattern, an ID or an index again. An error is one
// line: the name of the input, the JSON path and the problem:
//
//	w.json: warnings[3].counterexample.params[0].type: want a string, got number
//
// A trace has millions of lines. Lines in the form that TraceWriter gives them are parsed by
// hand-written code. Every other line is parsed and checked like a document (trace_line.go).
//
// # Writing
//
// Writers make the same checks before they write, so no command writes what the next one refuses.
// The bytes depend on the value alone: keys are in the order of the Go fields, there are no time
// stamps, and empty lists that must be present are [], never null. JSON cannot hold a string that
// is not UTF-8 (each invalid byte becomes U+FFFD); where bytes matter, documents hold Go literals.
//
// # Files
//
//	header.go, enums.go, templates.go
//	                                 the header of every document, enumerations, templates
//	trace.go, invariants.go, changes.go, models.go, warnings.go,
//	crashes.go, reproduction.go, panic.go, recording.go
//	                                 the types of the documents
//	value.go, walk.go                values as object graphs, and a walk over all nodes
//	read.go, write.go                documents as JSON
//	trace_read.go, trace_line.go, trace_write.go
//	                                 traces, line by line
//	schema.go, validate.go, scan.go  JSON Schemas, and a validator on the text of a document
//	consistent.go                    checks beyond the schemas
package schemas
