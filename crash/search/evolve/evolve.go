// Package evolve reproduces a crash by a guided genetic algorithm.
package evolve

import "dsd/crash/search"

type (
	Options    = search.EvolveOptions
	Result     = search.EvolveResult
	Frame      = search.Frame
	Searcher   = search.Searcher
	StackTrace = search.StackTrace
)

var (
	Arguments    = search.Arguments
	NewSearcher  = search.NewSearcher
	WithLiterals = search.WithLiterals
)
