// Package constants collects values for the literals of candidates.
package constants

import "dsd/crash/search"

type Observed = search.Observed

var Observe = search.Observe
