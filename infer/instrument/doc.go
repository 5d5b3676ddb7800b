// Package instrument decides what is observed of a running testee and rewrites its sources to observe it.
//
// In: loaded packages (internal/source). Out: replaced sources, added sources (a runtime as a virtual package of the
// testee's module, and helpers for calls through interfaces), and the program points that they report on, in the
// form of a trace's header (schemas.TracePoint).
//
// Text is inserted at byte offsets, on existing lines, as the go command's coverage tool does, so that positions,
// comments and directives stay as they are. What is observed follows [DAIKON] and [DSD 7]: parameters, results and
// package-level variables at entry and exit, and the same for calls through an interface, attributed to the
// interface's method (via.go); of fields only those that matter (relevant.go). Test functions say that they run
// (tests.go), and points what the source asks of their variables (conditions.go). The runtime is observe/.
package instrument
