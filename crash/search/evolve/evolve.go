// Package evolve reproduces a crash by a guided genetic algorithm.
package evolve

import "dsd/crash/search"

type (
	Options    = search.EvolveOptions
	Result     = search.EvolveResult
	Searcher   = search.Searcher
	StackTrace = search.StackTrace
)

var (
	NewSearcher  = search.NewSearcher
	WithLiterals = search.WithLiterals
)
