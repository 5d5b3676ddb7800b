package schemas

import "io"

// ModelsName is the name of the document of usage models.
const ModelsName = "models"

// Models is what `infer models` writes: how objects of the module's types are used.
type Models struct {
	Header
	// Models are sorted by type.
	Models []Model `json:"models"`
}

// Model is the transition system of a type: which calls follow which, on objects of it [SEED 3.1].
type Model struct {
	// Type is the named type with its import path.
	Type string `json:"type"`
	// Sequences counts the sequences of calls that it was learned from: paths through the source, and objects in tests.
	Sequences int64 `json:"sequences"`
	// Transitions are sorted by From, then To.
	Transitions []Transition `json:"transitions"`
	// Values are constants that parameters of the calls have, sorted by call, parameter and how often they have them.
	Values []ModelValue `json:"values,omitempty"`
}

// Transition is a step: a call that follows another on the same object.
type Transition struct {
	// From is the call before, "" for an object of which nothing was seen yet. Calls are functions that make objects of the type,
	// its methods, and "T{}" for a composite literal.
	From  string `json:"from"`
	To    string `json:"to"`
	Count int64  `json:"count"`
}

// ModelValue is a constant that an argument of a call has.
type ModelValue struct {
	Call string `json:"call"`
	// Param counts the parameters from 0.
	Param int    `json:"param"`
	Lit   string `json:"lit"`
	Count int64  `json:"count"`
}

// ReadModels reads what `infer models` writes, to the end of r. Errors call the input name.
func ReadModels(r io.Reader, name string) (*Models, error) {
	return read(r, name, ModelsName, new(Models))
}

// WriteModels is like WriteInvariants.
func WriteModels(w io.Writer, d *Models) error { return write(w, ModelsName, d) }

func (d *Models) consistent() *violation {
	types := map[string]bool{}
	for i, m := range d.Models {
		if types[m.Type] {
			return violated("%s is there twice", m.Type).in(".models" + index(i) + ".type")
		}
		types[m.Type] = true
	}
	return nil
}
