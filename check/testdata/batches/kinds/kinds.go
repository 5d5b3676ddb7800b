// Package kinds has no functions, and is imported first.
package kinds

// Kind is a kind.
type Kind int
