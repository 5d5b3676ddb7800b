package ir

import "dsd/check/logic"

// Contract is what was learned of a function, as terms over the scalars of its parameters and
// results, in their order, and over memories.
type Contract struct {
	Params, Results []*logic.Var
	// Entry holds of the arguments, Exit of arguments, results and both memories.
	Entry, Exit []Clause
}

// Clause is an invariant as a term. Memories with Old set are those at the function's entry.
type Clause struct {
	ID   string // of the invariant in its document
	Term *logic.Term
}
