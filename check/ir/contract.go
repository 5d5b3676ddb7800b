package ir

import "dsd/check/logic"

// A Contract holds the learned invariants of a function, as terms over the scalars of its
// parameters and results and over memories.
type Contract struct {
	// Params and Results are the scalars in order, as in Func.
	Params, Results []*logic.Var
	// Entry are the preconditions: they hold for the arguments and the memories at the entry.
	// Exit are the postconditions: they hold for the arguments, the results and the memories at
	// entry and exit.
	Entry, Exit []Clause
}

// A Clause is an invariant as a term. Memories with Old set are those at the function's entry.
type Clause struct {
	ID   string // of the invariant in its document
	Term *logic.Term
}
