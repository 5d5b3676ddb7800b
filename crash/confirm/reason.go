package confirm

// Reasons for which a warning is unconfirmed, besides those of compose.Error (no literal expresses
// the counterexample), verify.Verdict (the test did not end, or showed something else) and
// report.Policy.
const (
	reasonNoCounterexample = "the solver found no counterexample"
	reasonNoFunction       = "the testee has no such function: the source has changed since"
	reasonInterrupted      = "interrupted"

	// The run of the test contradicts the counterexample: a call and what the counterexample
	// has in place of its results; where the run left the path.
	reasonReturned = "refuted: %s, where the counterexample has %s"
	reasonParted   = "refuted: %s"
	reasonNothing  = "refuted: the run took the path of the counterexample, and did not panic"
)
