package schemas

import "io"

// Changes is the document that `infer diff` writes: how the invariants of two documents differ.
type Changes struct {
	Header
	// Changes are sorted by function and program point.
	Changes []Change `json:"changes"`
}

// Change is the difference of an invariant.
type Change struct {
	Func string     `json:"func"`
	At   At         `json:"at"`
	Kind ChangeKind `json:"kind"`
	// Old and New are the conditions in the two documents, "" where there is none.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Witness is a call that violates the stronger of the two conditions, if a trace shows one.
	Witness *Witness `json:"witness,omitempty"`
}

// Witness is a call that violates a condition.
type Witness struct {
	// Test is the first test, by name, that makes the call; "" if it is unknown.
	Test string `json:"test,omitempty"`
	// Values are the values of the condition's variables: "n is 3".
	Values []string `json:"values,omitempty"`
	// Samples counts all calls that violate the condition.
	Samples int64 `json:"samples"`
}

// ReadChanges reads the document that `infer diff` writes, to the end of r. Errors call the input
// name.
func ReadChanges(r io.Reader, name string) (*Changes, error) {
	return read(r, name, ChangesName, new(Changes))
}

// WriteChanges is like WriteInvariants.
func WriteChanges(w io.Writer, d *Changes) error { return write(w, ChangesName, d) }
