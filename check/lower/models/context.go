//go:build ignore

package context

import (
	"context"

	"dsd"
)

// some returns any context that is not nil.
func some() context.Context {
	c := dsd.Any[context.Context]()
	dsd.Assume(c != nil)
	return c
}
func Background() context.Context { return some() }
func TODO() context.Context       { return some() }
func WithValue(parent context.Context, key, val any) context.Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if key == nil {
		panic("nil key")
	}
	return some()
}
func WithCancel(parent context.Context) (context.Context, context.CancelFunc) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return some(), func() {}
}
