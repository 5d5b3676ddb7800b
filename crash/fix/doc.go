// Package fix proposes changes of the source that prevent a crash.
//
// MissingCheck (condition.go) finds a condition over the parameters of the called function under
// which check proves that the panic cannot happen: the weakest of a list. Propose (change.go) writes
// the statement with which the function returns early unless the condition holds, and Try (try.go)
// runs the crash's test with that change. Nothing is written to the testee: a change is printed as a
// diff (diff.go), or as a fix in SARIF.
//
// A change is a proposal. What a function should return for such inputs, only its author knows.
package fix
