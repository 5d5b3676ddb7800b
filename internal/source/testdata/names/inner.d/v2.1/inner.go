// Package inner has dots in its path. Stack traces escape those in the last element.
package inner

import names "example.com/names.v1"

// F is a function.
func F() { names.Here() }

type S struct{}

// M is a method.
func (*S) M() { names.Here() }
