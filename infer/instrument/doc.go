// Package instrument decides what to observe of a running testee, and rewrites its sources to
// observe it.
//
// In: loaded packages (internal/source). Out: replaced sources; added sources, which are a runtime
// as a package of the testee's module and forwarders for calls through interfaces; and the program
// points that they report on, as in the header of a trace (schemas.TracePoint).
//
// # What is observed
//
// The program points are those of [DAIKON] and [DSD 7]: the entry and exit of each function, with
// its parameters, results and package-level variables, and the same for calls through an interface,
// which count for the interface's method. A function that a panic unwinds has a point of its own.
//
// Values are followed through fields and pointers up to a depth, as far as the fields are relevant
// to the function. Since other goroutines run, values that take several words are not read from
// memory that they may be writing; see observer.value and package observe.
//
// # How
//
// Text is inserted at byte offsets on existing lines, as the go command's coverage tool does, so
// that positions, comments and directives stay as they are. The inserted names begin with _dsd_.
//
// # Files
//
// instrument.go rewrites files and functions, points.go makes the points of a function and the
// statements that report on them, and vars.go the variables of a point. relevant.go finds the
// relevant fields, conditions.go the conditions in the source that divide the samples of a point.
// forward.go is for interface calls, returns.go marks safe returns, and tests.go makes test
// functions report that they run. The runtime is observe/.
package instrument
