package report

import (
	"fmt"

	"dsd/schemas"
)

// Policy decides which confirmed crashes are reported [DSD 4.3, 5.4, 6.7.1.2].
//
// Go functions reject arguments by an explicit panic. And where a function dereferences a parameter
// without a nil check, its author has ruled out nil. Both are bugs only if the inputs satisfy what
// the tests show about inputs.
type Policy string

const (
	// Classic suppresses such panics in functions without inferred preconditions. Random
	// testing also suppresses crashes whose inputs users cannot write.
	Classic Policy = "classic"
	// Relaxed is Classic, but reports such panics.
	Relaxed Policy = "relaxed"
	// All reports everything.
	All Policy = "all"
)

// Policies lists the policies.
var Policies = []Policy{Classic, Relaxed, All}

// PolicyReason begins the reason of an unconfirmed warning whose crash the policy suppresses.
const PolicyReason = "policy: "

// Suppressed returns why the confirmed crash of a warning is not reported, or "" if it is reported.
// The text begins with PolicyReason.
func (p Policy) Suppressed(w *schemas.Warning) string {
	const unknown = "and the function has no inferred preconditions"
	switch {
	case w.Preconditions || p != Classic:
		return ""
	case w.Kind == schemas.ExplicitPanic:
		return PolicyReason + "an explicit panic rejects the arguments, " + unknown
	case w.Kind == schemas.NilDeref && w.Param != "":
		return fmt.Sprintf("%sthe parameter %s is nil, %s", PolicyReason, w.Param, unknown)
	}
	return ""
}
