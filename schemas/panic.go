package schemas

import "io"

// Panic is the document that `crash stack` writes: the parsed text of a Go panic.
type Panic struct {
	Header
	Kind Kind `json:"kind"`
	// Message is the panic's own text.
	Message string `json:"message"`
	// Values are the values that the message contains, in order.
	Values []PanicValue `json:"values,omitempty"`
	// Later are the messages of panics that were raised while this one unwound the stack.
	Later []string `json:"later,omitempty"`
	// Frames is the stack of the goroutine that panicked, innermost first, without the
	// runtime's frames.
	Frames []PanicFrame `json:"frames"`
	// CreatedBy is the function that started the goroutine.
	CreatedBy string `json:"created_by,omitempty"`
	// Elided reports whether frames are missing in the middle.
	Elided bool `json:"elided,omitempty"`
}

// PanicValue is a value in a panic's message.
type PanicValue struct {
	// Name is the meaning of the value: index, length, capacity, low, high, max, dynamic,
	// interface, wanted, method, offset.
	Name string `json:"name"`
	// Text is a number, or a type as the runtime prints it.
	Text string `json:"text"`
}

// PanicFrame is a frame in a panic's text, and the source of the build at that place.
type PanicFrame struct {
	// Func is the function as printed.
	Func string `json:"func"`
	// File and Line are the position as printed; empty if the text has none.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Offset is the number of lines below the function's first line. Some traces print it
	// instead of file and line.
	Offset int `json:"offset,omitempty"`
	// Args are the words of the arguments as printed.
	Args string `json:"args,omitempty"`
	// Module is the function's module in the build, path@version. It is empty for the standard
	// library and for functions that are not in the build.
	Module string `json:"module,omitempty"`
	// Pos is the position in the build, "file:line", with the file relative to the module's
	// root.
	Pos string `json:"pos,omitempty"`
	// Source is the source line at Pos.
	Source string `json:"source,omitempty"`
	// Misfit is the reason why the position does not fit the source of the build, or why the
	// build has no such function.
	Misfit string `json:"misfit,omitempty"`
	// Assumed says from which line of another version Pos was concluded.
	Assumed string `json:"assumed,omitempty"`
}

// ReadPanic reads the document that `crash stack` writes, to the end of r. Errors call the input
// name.
func ReadPanic(r io.Reader, name string) (*Panic, error) {
	return read(r, name, PanicName, new(Panic))
}

// WritePanic is like WriteInvariants.
func WritePanic(w io.Writer, d *Panic) error { return write(w, PanicName, d) }
