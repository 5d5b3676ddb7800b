//go:build go1.21

// Package run executes candidates inside the testee's test binary. Its source is embedded in
// package candidate, which adds it to the testee's module as a package; it imports the standard
// library only.
//
// A candidate is a sequence of statements over a table of operations. Each statement takes values
// from registers and appends its results as further registers. Candidates come in batches on one
// file descriptor; a report of each batch goes to another. The number of the running candidate and
// of its statement stand in memory that is shared with the parent, so that they are known if the
// process dies (protocol.go).
//
// The testee's sources are rewritten (crash/candidate/instrument) to call this package: they mark
// blocks as executed, check preconditions and register how to reset variables (testee.go), count
// loop passes and calls (bound.go), and report how near they come to the lines of a stack
// (trail.go), and how near the numbers in the message of a panic there to those that are sought (numbers.go).
//
// Files, in reading order:
//
//	protocol.go   what the parent and this process exchange
//	op.go         operations and the frames that they work on
//	main.go       the loop over batches and candidates; resets
//	program.go    decoded candidates and their execution
//	testee.go, bound.go, trail.go, goal.go
//	              what the rewritten testee and the table report
//	panic.go      the text of panics
//	stackkey.go   keys that tell panics with different stacks apart, cheaply
//	climb.go      hill climbing around candidates that come near the trail
//	operands.go   mutations by what a condition compared
//	vocabulary.go, random.go
//	              mutations of strings and numbers
package run
