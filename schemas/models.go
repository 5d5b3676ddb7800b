package schemas

import "io"

// Models is the document that `infer models` writes: how objects of the module's types are used.
type Models struct {
	Header
	// Models are sorted by type.
	Models []Model `json:"models"`
}

// Model is the usage model of a type, a transition system over the calls on its objects [SEED 3.1].
type Model struct {
	// Type is the named type with its import path.
	Type string `json:"type"`
	// Sequences counts the call sequences that the model was learned from: paths through the
	// source, and objects in tests.
	Sequences int64 `json:"sequences"`
	// Transitions are sorted by From, then To.
	Transitions []Transition `json:"transitions"`
	// Values are the constants passed to calls, sorted by call, parameter and count.
	Values []ModelValue `json:"values,omitempty"`
}

// Transition is a pair of calls that follow each other on the same object. A call is a function
// that makes objects of the type, a method, or "T{}" for a composite literal.
type Transition struct {
	// From is the first call, "" for an object on which no call was seen yet.
	From  string `json:"from"`
	To    string `json:"to"`
	Count int64  `json:"count"`
}

// ModelValue is a constant passed to a call.
type ModelValue struct {
	Call string `json:"call"`
	// Param is the parameter's number, from 0.
	Param int    `json:"param"`
	Lit   string `json:"lit"`
	Count int64  `json:"count"`
}

// ReadModels reads the document that `infer models` writes, to the end of r. Errors call the input
// name.
func ReadModels(r io.Reader, name string) (*Models, error) {
	return read(r, name, ModelsName, new(Models))
}

// WriteModels is like WriteInvariants.
func WriteModels(w io.Writer, d *Models) error { return write(w, ModelsName, d) }
