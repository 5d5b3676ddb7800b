package random

import (
	"dsd/crash/report"
	"dsd/crash/search"
)

// rank returns how likely a crash is a bug: one of schemas.Ranks.
//
// Functions refuse arguments by explicit panics, and their authors exclude nil arguments without a check. So for a
// function without known preconditions, such a panic is likely misuse, except under report.Relaxed. Preconditions
// do not express which pointers may be nil, nor which types an interface may hold. So even inputs that satisfy
// all preconditions do not make such a panic a likely bug.
func rank(x *search.Crash, policy report.Policy) string {
	known := preconditionsKnown(x)
	nilArgument := x.Kind == "nil-deref" && x.NilArgument
	switch {
	case x.Fabricated || x.Met < x.Judged:
		return report.LikelyMisuse
	case known && !report.Refusal(x.Kind) && x.Kind != "type-assert" && !nilArgument:
		return report.LikelyBug
	case known:
		return report.Look
	case policy != report.Relaxed && (x.Kind == "explicit-panic" || nilArgument):
		return report.LikelyMisuse
	}
	return report.Look
}

// preconditionsKnown reports whether each function that the candidate calls has known preconditions.
func preconditionsKnown(x *search.Crash) bool { return x.Judged > 0 && x.Judged == x.Called }
