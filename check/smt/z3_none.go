//go:build !cgo

package smt

// Linked reports whether the program is linked with libz3.
const Linked = false

// Version is "": there is no libz3.
func Version() string { return "" }

// z3 stands for the sessions of a program that is linked with libz3.
type z3 struct{ Session }

// NewZ3 returns ErrNoZ3: the program is built without cgo.
func NewZ3() (Session, error) { return nil, ErrNoZ3 }
