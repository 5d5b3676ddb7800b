// Package search looks for crashes by running candidates.
//
// The functions of a package and the values that they need make a parameter graph: which operations produce values of
// which types [DSD 4.2.1]. Candidates are drawn from it, or carved from the package's tests, executed by the harness, kept if they
// come to something new, and changed; what panics is made small, and written as a Go test.
//
// Test looks for any crash: what reaches new blocks is kept. A Searcher looks for a certain one, by a guided genetic algorithm whose
// fitness says how near a candidate comes along the stack [EVO]; objects are made as usage models say [SEED].
package search
