// Package dtrace reads the declarations and traces of Daikon's front ends, so that what they observed can be learned from, and writes traces
// of ours in their form [DAIKON: developer manual, file formats].
//
// In: .decls files of version 1 or 2, and .dtrace files, which may hold declarations, too. Out: the samples, fed to the points of a
// learner. Names stay as they are; orig(x) is called old(x).
//
// A trace is read in blocks (read.go), whose records are shared out by function: who is free learns from those of one that nobody has
// (function.go). Write is in write.go.
package dtrace
