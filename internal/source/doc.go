// Package source loads the testee: the packages of a Go module that a `go list` pattern names, as type-checked syntax.
//
// In: a directory and patterns. Out: a Program, with the packages of the main module from source (those matched, and
// those that they import) and everything else from the compiler's export data, so that loading costs one `go list`
// and the type checking of the testee alone.
//
// The go command does the finding, the building of export data and the complaining: a testee that does not compile is
// reported in the compiler's own words.
package source
