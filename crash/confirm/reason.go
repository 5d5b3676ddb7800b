package confirm

// Reasons for which a warning is unconfirmed, besides those of compose.Error (no literal expresses
// the counterexample), verify.Verdict (the test ran, but showed something else) and report.Policy.
const (
	reasonNoCounterexample = "the solver found no counterexample"
	reasonNoFunction       = "the testee has no such function: the source has changed since"
	reasonInterrupted      = "interrupted"
)
