// Package instrument rewrites the sources of the testee so that one process can run many
// candidates.
//
// The input is the loaded testee (internal/source); the output is the changed text of its files,
// which package candidate compiles through an overlay. The rewritten code calls the runtime
// (crash/candidate/run), which the overlay adds to the testee's module as package RuntimeDir. Text
// is inserted at byte offsets and adds no line before existing code, so that positions in panics
// stay those of the source.
//
// Files, in reading order after instrument.go, which visits the packages:
//
//	coverage.go  marks each block as executed, and counts the passes of loops and calls
//	exit.go      replaces os.Exit and log.Fatal by calls that end the candidate, not the process
//	recover.go   tells the runtime what calls of recover return
//	judge.go     evaluates the inferred preconditions of a function at its entry
//	mutable.go   finds the package-level variables that something may change
//	reset.go     makes the initialization of these variables repeatable [DSD 8.4]
//	trail.go     reports in the functions of a stack how near execution comes to its lines: the
//	             approach level and the branch distance of guided search [EVO III-B]
//	guard.go     the functions whose results decide conditions on that way
//	conversion.go  finds where values of a dynamic type come from
//	condition.go reports for trail.go how near a condition is to coming out as needed
//
// Packages that use cgo are left as they are, and so are functions with directives such as
// //go:nosplit, which leave no room for calls. Their blocks are not counted, and loops in them are
// ended by the clock alone.
package instrument
