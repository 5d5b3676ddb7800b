// Package campaign tests a package with random candidates.
package campaign

import "dsd/crash/search"

type (
	Options = search.Options
	Result  = search.Result
)

var Run = search.Run
