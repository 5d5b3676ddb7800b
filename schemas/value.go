package schemas

// Counterexample gives inputs of a function as an object graph. Inputs that it does not name are
// unconstrained.
type Counterexample struct {
	// Receiver is nil for functions.
	Receiver *Input `json:"receiver,omitempty"`
	// Params line up with the parameters.
	Params []Input `json:"params"`
	// TypeArgs are the type arguments of a generic function or receiver, as Go types.
	TypeArgs []string `json:"type_args,omitempty"`
	// Globals are the package-level variables whose values matter.
	Globals []Input `json:"globals,omitempty"`
	// Returns are the assumed results of calls that were not followed, in the order of the
	// calls.
	Returns []Input `json:"returns,omitempty"`
	// Wait reports whether a goroutine panics that the call starts: its return does not end the run.
	Wait bool `json:"wait,omitempty"`
	// Objects are the nodes that values refer to by index.
	Objects []Node `json:"objects,omitempty"`
	// Types define the dynamic types that other programs than the recorded one cannot name.
	// Only recordings have them.
	Types []TypeDef `json:"types,omitempty"`
}

// Input is a named value.
type Input struct {
	Name string `json:"name"`
	Node
}

// Node is a value of an object graph: a literal, a composite or a reference. At most one of Lit,
// Ref, Fields, Elems and Dynamic is set. If none is, any value of the type will do in a
// counterexample, and the value is zero in a recording.
type Node struct {
	// Type is the Go type with full import paths.
	Type string `json:"type"`
	// Lit is a Go literal: 12, -1, true, "a\x00", nil, math.NaN(). "func" stands for any
	// function but nil.
	Lit string `json:"lit,omitempty"`
	// Ref is the index in Objects of what a pointer points to, or of the array of a slice.
	Ref *int `json:"ref,omitempty"`
	// Len and Cap are the length and capacity of a slice given by Ref.
	Len *int64 `json:"len,omitempty"`
	Cap *int64 `json:"cap,omitempty"`
	// Fields are the constrained fields of a struct, in declaration order.
	Fields []Input `json:"fields,omitempty"`
	// Elems are, depending on the type,
	//   - the constrained elements of an array, sorted by index;
	//   - the entries of a map;
	//   - the values received from a channel, in order;
	//   - the results of the calls of a function, by the number of the call: a value, or a node
	//     with Fields "0", "1" and so on for several results.
	Elems []Elem `json:"elems,omitempty"`
	// Closed reports whether a channel is closed after Elems have been received.
	Closed bool `json:"closed,omitempty"`
	// Dynamic is the value inside an interface. Its type is the interface type itself if any
	// implementation will do.
	Dynamic *Node `json:"dynamic,omitempty"`

	// The remaining fields are set in recordings only, but for Var: a variable in Globals has its
	// own name there if it still has the value that it was initialized with.

	// Path selects a part of the object given by Ref, as a Go selector such as .items[3].name:
	// the variable that a pointer points to, or the array of a slice.
	Path string `json:"path,omitempty"`
	// Offset is the index in the array at which the slice begins.
	Offset int64 `json:"offset,omitempty"`
	// Elem is the type of the variable given by Ref that a settable reflect.Value stands for.
	Elem string `json:"elem,omitempty"`
	// Var is the package-level variable that holds the value, "&example.com/m.V" if the value
	// is the variable's address, or the name of the function that the value is.
	Var string `json:"var,omitempty"`
	// Literal is where the function literal of a closure is, an object: example.com/m/file.go:12:5 is
	// line 12, column 5 of a file of package example.com/m. Fields are then the variables that the closure
	// has captured.
	Literal string `json:"literal,omitempty"`
	// Lost is the reason why the value cannot be rebuilt exactly.
	Lost string `json:"lost,omitempty"`
}

// Elem is an element of an array, a channel or the results of a function, or an entry of a map.
type Elem struct {
	// Index is the index of an element.
	Index int64 `json:"index"`
	// Key is the key of a map's entry; nil for elements.
	Key   *Node `json:"key,omitempty"`
	Value Node  `json:"value"`
}

// TypeDef defines a type.
type TypeDef struct {
	Type string `json:"type"`
	// Underlying is the type literal of a named type that is not a struct.
	Underlying string `json:"underlying,omitempty"`
	// Fields are the fields of a struct.
	Fields []TypeField `json:"fields,omitempty"`
}

// TypeField is a field of a struct type.
type TypeField struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Tag      string `json:"tag,omitempty"`
	Embedded bool   `json:"embedded,omitempty"`
}
