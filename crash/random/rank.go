package random

import (
	"dsd/crash/report"
	"dsd/crash/search/feedback"
	"dsd/schemas"
)

// rank returns how likely a crash is a bug: one of schemas.Ranks.
//
// Functions refuse arguments by explicit panics, and their authors exclude nil arguments without a
// check. So for a function without known preconditions, such a panic is likely misuse, except under
// report.Relaxed. Preconditions do not express which pointers may be nil, nor which types an
// interface may hold. So even inputs that satisfy all preconditions do not make such a panic a
// likely bug. Nor does a receiver in a state that the tests do not show, if calls made that state:
// either the calls are a bug, or the last one may not be made then.
func rank(x *feedback.Crash, policy report.Policy) schemas.Rank {
	known := preconditionsKnown(x)
	nilArgument := x.Kind == schemas.NilDeref && x.NilArgument
	switch {
	case x.Fabricated || x.ArgsHeld < x.PreChecked:
		return schemas.LikelyMisuse
	case x.PreHeld < x.PreChecked:
		return schemas.Look
	case known && !report.Refusal(x.Kind) && x.Kind != schemas.TypeAssert && !nilArgument:
		return schemas.LikelyBug
	case known:
		return schemas.Look
	case policy != report.Relaxed && x.Refuses():
		return schemas.LikelyMisuse
	}
	return schemas.Look
}

// preconditionsKnown reports whether each function that the candidate calls has known
// preconditions.
func preconditionsKnown(x *feedback.Crash) bool {
	return x.PreChecked > 0 && x.PreChecked == x.Called
}
