// Package query decides whether terms can be true together: it chooses what to ask the solver, and
// what not to ask it.
//
// In: the failure condition of an obligation (vcgen), over the inputs of a function. Out: a
// verdict, and for sat a model that satisfies the condition by our own evaluation, too.
// Querier.Ask tries, and stops at the first that decides:
//
//  1. local search, briefly                      no query (localsearch)
//  2. bounds of all values                        no query (refute)
//  3. local search, thoroughly                    no query
//  4. the terms that share inputs with what fails often enough to prove that it cannot
//  5. all terms; a model is made smaller          easier to read, and to build
//
// A function has a Querier of its own, a question a session with the solver of its own, and budgets are counted
// in work, so that verdicts depend neither on other functions nor on the machine's speed, and an
// answer may be kept for the next run (Answers). Not handled: unsatisfiable cores, which
// the text interface of libz3 refuses; Core approximates them.
package query
