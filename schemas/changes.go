package schemas

import "io"

// ChangesName is the name of the document of what changed between two documents of invariants.
const ChangesName = "changes"

// Changes is what `infer diff` writes.
type Changes struct {
	Header
	// Changes are sorted by function and place.
	Changes []Change `json:"changes"`
}

// Change is what became of an invariant.
type Change struct {
	Func string `json:"func"`
	At   At     `json:"at"`
	// Kind is appeared, vanished, weakened or strengthened.
	Kind ChangeKind `json:"kind"`
	// Old and New are the conditions, "" where there is none.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Witness is a call that the stronger of the two conditions is not true of, if a trace shows one.
	Witness *Witness `json:"witness,omitempty"`
}

// Witness is a call.
type Witness struct {
	// Test is the first test, by name, that makes it; "" if it is not known.
	Test string `json:"test,omitempty"`
	// Values are what the variables of the condition were: "n is 3".
	Values []string `json:"values,omitempty"`
	// Samples counts all calls of which the condition is not true.
	Samples int64 `json:"samples"`
}

// ReadChanges reads what `infer diff` writes, to the end of r. Errors call the input name.
func ReadChanges(r io.Reader, name string) (*Changes, error) {
	return read(r, name, ChangesName, new(Changes))
}

// WriteChanges is like WriteInvariants.
func WriteChanges(w io.Writer, d *Changes) error { return write(w, ChangesName, d) }

func (d *Changes) consistent() *violation { return nil }
