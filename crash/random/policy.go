package random

import (
	"dsd/crash/report"
	"dsd/crash/search/feedback"
)

// suppressed reports whether a policy suppresses a crash: users of the package cannot write the
// inputs; or the function may refuse them, by an explicit panic or by following a nil argument, and
// nothing shows that it should not, because its preconditions are unknown or the inputs violate
// them.
func suppressed(x *feedback.Crash, policy report.Policy) bool {
	switch {
	case policy == report.All:
		return false
	case x.Fabricated:
		return true
	case x.ArgsHeld < x.PreChecked:
		return x.Refuses()
	case x.PreHeld < x.PreChecked || preconditionsKnown(x):
		return false
	}
	return policy != report.Relaxed && x.Refuses()
}

// preconditionsKnown reports whether each function that the candidate calls has known
// preconditions.
func preconditionsKnown(x *feedback.Crash) bool {
	return x.PreChecked > 0 && x.PreChecked == x.Called
}
