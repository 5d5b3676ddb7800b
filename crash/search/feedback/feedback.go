// Package feedback keeps what running candidates tells a search.
package feedback

import "dsd/crash/search"

type (
	Stats = search.Stats
	Crash = search.Crash
)
