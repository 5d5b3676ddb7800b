package smt

// A Session is a conversation with a solver. Only Interrupt may be called concurrently with other
// methods. Whoever opens a session must close it; afterwards it must not be used.
type Session interface {
	// Eval sends commands and returns everything that the solver prints. An error means that
	// the session is lost. Errors that the solver reports are part of the text.
	Eval(text string) (string, error)
	// Interrupt makes a running Eval return soon.
	Interrupt()
	// Close frees the solver.
	Close()
}
