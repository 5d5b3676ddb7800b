// Package search tests a package at random.
//
// The functions of the package and the values that they need make a parameter graph: which operations produce values of
// which types [DSD 4.2.1]. Candidates are drawn from it, executed by the harness, kept if they reach new blocks, and
// changed; what panics is made small, and written as a Go test.
package search
