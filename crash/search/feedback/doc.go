// Package feedback keeps what the runs of candidates tell a search: the crashes, and how to go on.
//
// A Monitor collects the candidates that reach new code, to be mutated, and the operations that
// cost much time, to be avoided. ReadCrash reads the panic of a candidate. Evidence weighs how well
// the candidate shows that there is a bug.
//
// Files, in reading order: monitor.go, crash.go, evidence.go.
package feedback
