package confirm

import "dsd/schemas"

// reason is why a warning did not become a reported crash.
type reason struct {
	outcome schemas.Outcome
	text    string
}

func open(text string) reason    { return reason{schemas.Open, text} }
func refuted(text string) reason { return reason{schemas.Refuted, text} }

// Texts of reasons, besides those of compose.Error (no literal expresses the counterexample),
// verify.Verdict (the test did not end, or showed something else), observe.Parting (where the run
// left the path of the counterexample) and report.Policy.
const (
	reasonNoCounterexample = "the solver found no counterexample"
	reasonNoFunction       = "the testee has no such function: the source has changed since"
	reasonTestFile         = "it is declared in a test file, and crash calls what is declared outside of them"
	reasonStart            = "it runs when the program starts, before any test"
	// Of function literals.
	reasonLiteral     = "no test can call it by name, and no calls of exported functions were found that lead there"
	reasonInterrupted = "interrupted"
	reasonNotCalled   = "the run did not panic; others may call %s, and the test does not"

	reasonRecovered = "a deferred function recovers the panic"

	// A call, and what the counterexample has in place of its results.
	reasonReturned = "%s, where the counterexample has %s"
	reasonNothing  = "the run took the path of the counterexample, and did not panic"
	// The run does not report which call it was, because a model describes it.
	reasonUnseen = "the run took the path of the counterexample, and did not panic: " +
		"a call returned or wrote something else than the counterexample has"
	// A type.
	reasonReplaced = "no test can name the type %s, and another value in its place does not " +
		"lead to the panic"
)
