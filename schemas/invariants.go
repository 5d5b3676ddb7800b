package schemas

import "io"

// Invariants is the document that `infer invariants` writes.
type Invariants struct {
	Header
	// Points are sorted by function, entry before exit.
	Points []Point `json:"points"`
}

// Point is a program point with the invariants that held there.
type Point struct {
	// Func is a function ("pkg/path.(*T).M"), the method of an interface ("pkg/path.I.M"), or
	// at AtType a type ("pkg/path.T").
	Func string `json:"func"`
	// At is any of the At constants, or "exit7" for one of several returns in Daikon's traces.
	At At `json:"at"`
	// Samples counts all samples seen, equal ones included.
	Samples int64 `json:"samples"`
	// Tests are test functions that made the samples, "import/path.TestName": the first five by
	// name of those that made a sample first. It is absent if they are not known.
	Tests      []string    `json:"tests,omitempty"`
	Invariants []Invariant `json:"invariants"`
	// Ambitious are the invariants that check does not assume: those of inputs under a
	// condition, of sequences, of prefixes and suffixes, and of dynamic types [DSD 6.4.2].
	Ambitious []Invariant `json:"ambitious,omitempty"`
}

// Invariant is a condition that held whenever its program point was reached.
type Invariant struct {
	// ID is unique in the document: "I12".
	ID string `json:"id"`
	// Template is one of Templates.
	Template string `json:"template"`
	// Vars are the variables that fill the template, in the template's order.
	Vars []string `json:"vars"`
	// Params are the template's constants, as Go literals.
	Params []string `json:"params,omitempty"`
	// Expr is the condition, in the language of EXPRESSIONS.md.
	Expr string `json:"expr"`
	// Samples counts the samples in which all Vars existed.
	Samples int64 `json:"samples"`
	// Confidence is 1 minus the probability that the condition held by chance. It is between 0
	// and 1 and rounded to 4 digits.
	Confidence float64 `json:"confidence"`
	// Assumed reports whether check assumes the invariant.
	Assumed bool `json:"assumed"`
}

// ReadInvariants reads the document that `infer invariants` writes, to the end of r. Errors call
// the input name.
func ReadInvariants(r io.Reader, name string) (*Invariants, error) {
	return read(r, name, InvariantsName, new(Invariants))
}

// WriteInvariants writes d to w in one call of Write. A document that ReadInvariants would refuse
// is an error, and nothing is written. WriteInvariants fills in an empty d.Schema and nil lists.
func WriteInvariants(w io.Writer, d *Invariants) error { return write(w, InvariantsName, d) }
