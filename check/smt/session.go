package smt

import "sync"

// A Session is a conversation with a solver. Only Interrupt may be called concurrently with other
// methods. Whoever opens a session must close it; afterwards it must not be used.
type Session interface {
	// Eval sends commands and returns everything that the solver prints. An error means that
	// the session is lost. Errors that the solver reports are part of the text.
	Eval(text string) (string, error)
	// Interrupt makes a running Eval return soon. After Close it does nothing: the end of a context
	// interrupts in a goroutine, which may come late.
	Interrupt()
	// Close frees the solver.
	Close()
}

// closing orders the interrupts of a session and its end.
type closing struct {
	mu     sync.Mutex
	closed bool
}

// unlessClosed calls interrupt, unless the session is closed.
func (c *closing) unlessClosed(interrupt func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		interrupt()
	}
}

// close calls end; afterwards, unlessClosed calls nothing.
func (c *closing) close(end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	end()
}
