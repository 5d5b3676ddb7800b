package schemas

import "io"

// PanicName is the name of the document of a panic's text.
const PanicName = "panic"

// Panic is what `crash stack` writes: what the text of a Go panic says.
type Panic struct {
	Header
	Kind Kind `json:"kind"`
	// Message is the panic's own text.
	Message string `json:"message"`
	// Values are those that the message holds, in its order.
	Values []PanicValue `json:"values,omitempty"`
	// Later are the messages of panics that were raised while this one unwound the stack.
	Later []string `json:"later,omitempty"`
	// Frames are those of the goroutine that panicked, crash first, without the runtime's own.
	Frames []PanicFrame `json:"frames"`
	// CreatedBy is the function that started the goroutine.
	CreatedBy string `json:"created_by,omitempty"`
	// Elided says that frames are missing in the middle.
	Elided bool `json:"elided,omitempty"`
}

// PanicValue is a value of a panic's message.
type PanicValue struct {
	// Name is what it is the value of: index, length, capacity, low, high, max, dynamic, interface, wanted, method, offset.
	Name string `json:"name"`
	// Text is a number, or a type as the runtime prints it.
	Text string `json:"text"`
}

// PanicFrame is a frame of a panic's text, with what the build has there.
type PanicFrame struct {
	// Func is the function as printed.
	Func string `json:"func"`
	// File and Line are the place as printed; absent if the text has none.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Offset is how many lines below the function's first the place is, where that is printed in place of file and line.
	Offset int `json:"offset,omitempty"`
	// Args are the words of the arguments as printed.
	Args string `json:"args,omitempty"`
	// Module is that of the build that the function is of, path@version; absent for the standard library, and what is not in the build.
	Module string `json:"module,omitempty"`
	// Pos is the place in the build, "file:line", the file relative to the module's root.
	Pos string `json:"pos,omitempty"`
	// Source is the line that stands there.
	Source string `json:"source,omitempty"`
	// Misfit is why the place does not fit the source of the build, or why the build has no such function.
	Misfit string `json:"misfit,omitempty"`
}

// ReadPanic reads what `crash stack` writes, to the end of r. Errors call the input name.
func ReadPanic(r io.Reader, name string) (*Panic, error) {
	return read(r, name, PanicName, new(Panic))
}

// WritePanic is like WriteInvariants.
func WritePanic(w io.Writer, d *Panic) error { return write(w, PanicName, d) }

func (d *Panic) consistent() *violation { return nil }
