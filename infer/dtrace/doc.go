// Package dtrace reads the declarations and traces of Daikon's front ends, so that what they observed can be learned from [DAIKON: developer
// manual, file formats].
//
// In: .decls files of version 1 or 2, and .dtrace files, which may hold declarations, too. Out: the samples, fed to the points of a
// learner. Names stay as they are; orig(x) is called old(x).
//
// A trace is read in blocks (read.go), whose records are shared out by function, so that each core has its functions (function.go).
package dtrace
