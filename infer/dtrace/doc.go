// Package dtrace reads and writes the file formats of Daikon: declarations (.decls) and data traces
// (.dtrace) [DAIKON: developer manual, file formats].
//
// Reading lets infer learn from the traces of Daikon's front ends, which exist for Java, C, Perl
// and others. The input is .decls files of version 1 or 2, and .dtrace files, which may contain
// declarations, too. The output is invariants per program point. Variables keep their names, except
// that orig(x) is written old(x). Writing turns a trace of ours into a file that Daikon reads.
//
// A trace is read in blocks of half a MiB. One goroutine splits each block into records and queues
// the records by function. Workers take functions with queued records; only one worker at a time
// learns for a function, so that its records are learned from in their order.
//
// Not handled: parent relations, variable flags and bounds in declarations, which are skipped, and
// program points other than entries (:::ENTER) and exits (:::EXITnn), whose records are ignored.
//
// Files, in reading order:
//
//	invariants.go  the entry point: files to invariants
//	decls.go       declarations
//	read.go        files to blocks, blocks to records
//	schedule.go    blocks and functions shared among workers
//	function.go    what is learned for a function
//	record.go      the values of a record
//	write.go       traces of ours in Daikon's form
package dtrace
