// Package fact describes what calls returned in a real run: f(arguments) = results, and which values
// comparisons had. The checker takes such facts into its formulas, so that a counterexample agrees
// with them [HOTG].
package fact

import "slices"

// Call is one call that returned.
type Call struct {
	// Callee is the function, as stack traces call it; a method of an interface has the name
	// of the interface in place of the receiver.
	Callee string
	// Args are the arguments, without the receiver, and Results the results.
	Args, Results []Value
	// Recv is the receiver of a method, nil for functions.
	Recv *Value
}

// Value is a value as it was when the call began, or returned. At most one of Bits, Text, Elems
// and Inside is set.
type Value struct {
	// Opaque reports whether nothing is known but what the other fields say.
	Opaque bool `json:"o,omitempty"`
	// Nil reports a nil pointer, slice, map, channel, function or interface, and NotNil one
	// that is not nil.
	Nil    bool `json:"z,omitempty"`
	NotNil bool `json:"n,omitempty"`
	// Bits are those of a number or truth value: integers extended to 64 bits, floating-point
	// numbers in their own format.
	Bits *uint64 `json:"b,omitempty"`
	// Text is a string.
	Text *[]byte `json:"t,omitempty"`
	// Len is the length of a slice, or of a string without Text. Elems are the elements of a
	// slice or array, or the fields of a struct; nil if there are too many.
	Len   *int    `json:"l,omitempty"`
	Elems []Value `json:"e,omitempty"`
	// Inside is what a pointer points to.
	Inside *Value `json:"p,omitempty"`
}

// Operands are those of a comparison of integers, left one first, extended to 64 bits.
type Operands [2]uint64

// Comparison is what the operands of a comparison were.
type Comparison struct {
	Pos      string // of the comparison, "file:line:col"
	Operands Operands
}

// Tells reports whether something is known of a result.
func (c *Call) Tells() bool {
	return slices.ContainsFunc(c.Results, func(v Value) bool {
		return v.Nil || v.Bits != nil || v.Text != nil || v.Len != nil || v.Inside != nil ||
			len(v.Elems) > 0
	})
}
