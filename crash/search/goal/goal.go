// Package goal directs a campaign at the inputs of counterexamples.
package goal

import "dsd/crash/search"

type (
	Goal    = search.Goal
	ModSets = search.ModSets
)

var (
	ConstrainedFields = search.ConstrainedFields
	FindModSets       = search.FindModSets
)
