package schemas

import "io"

// RecordingName is the name of the document that recorded programs write.
const RecordingName = "recording"

// Recording is what `crash record` writes: the values that the functions on the stack of a panic were called with.
type Recording struct {
	Header
	// Label is what the user called the build.
	Label string `json:"label,omitempty"`
	// Copy is how much of the values was copied as the functions were entered [REC 2.3]; of the rest is told what it was at the end.
	Copy string `json:"copy"`
	// Build is what ran.
	Build RecordedBuild `json:"build"`
	// Crashes are the panics, in order.
	Crashes []RecordedCrash `json:"crashes"`
}

// RecordedBuild is a build of a program.
type RecordedBuild struct {
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	// Main is the import path of the main package.
	Main string `json:"main,omitempty"`
	// Modules are the dependencies, path@version.
	Modules []string `json:"modules,omitempty"`
	// Command is how the program was called.
	Command []string `json:"command,omitempty"`
}

// RecordedCrash is a panic, and the calls that it passed.
type RecordedCrash struct {
	// ID is unique in the document: "R1".
	ID string `json:"id"`
	// Panic is its text as Go prints it, with the stack.
	Panic string `json:"panic"`
	// Value is what it panicked with, if that is known.
	Value *Node `json:"value,omitempty"`
	// Ended is what the panic came to: "program", "at FUNC", if it was recovered from there, or "" if that is not known.
	Ended string `json:"ended"`
	// Frames are those of the stack, crash first.
	Frames []RecordedFrame `json:"frames"`
	// Objects are the nodes that values refer to by index.
	Objects []Node `json:"objects"`
	// Types are what dynamic types are made of that others than the program cannot name: those of the main module, and without a name.
	Types []TypeDef `json:"types,omitempty"`
	// Lost is what cannot be made again.
	Lost []Loss `json:"lost,omitempty"`
}

// TypeDef says what a type is made of.
type TypeDef struct {
	Type string `json:"type"`
	// Underlying is the type literal of a named type that is no struct, and Fields are those of a struct.
	Underlying string      `json:"underlying,omitempty"`
	Fields     []TypeField `json:"fields,omitempty"`
}

// TypeField is a field of a struct type.
type TypeField struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Tag      string `json:"tag,omitempty"`
	Embedded bool   `json:"embedded,omitempty"`
}

// Loss counts values that cannot be made again.
type Loss struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// RecordedFrame is a frame of a stack, with the values of the call if it was recorded.
type RecordedFrame struct {
	// Symbol is the function as the runtime calls it, and File and Line the place; of a dependency the file begins with its module.
	Symbol string `json:"symbol"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	// Func is the function as documents call it, "" if the call was not recorded.
	Func string `json:"func,omitempty"`
	// TypeArgs, Receiver, Params and Globals are as in a Counterexample.
	TypeArgs []string `json:"type_args,omitempty"`
	Receiver *Input   `json:"receiver,omitempty"`
	Params   []Input  `json:"params,omitempty"`
	Globals  []Input  `json:"globals,omitempty"`
}

// ReadRecording reads what recorded programs write, to the end of r. Errors call the input name.
func ReadRecording(r io.Reader, name string) (*Recording, error) {
	return read(r, name, RecordingName, new(Recording))
}

// WriteRecording is like WriteInvariants.
func WriteRecording(w io.Writer, d *Recording) error { return write(w, RecordingName, d) }

// Call is the call of a frame that was recorded, as a counterexample says one, with the package-level variables that it and the frames
// inside of it read.
func (c *RecordedCrash) Call(frame int) *Counterexample {
	f := &c.Frames[frame]
	var globals []Input
	seen := map[string]bool{}
	for i := frame; i >= 0; i-- {
		for _, g := range c.Frames[i].Globals {
			if !seen[g.Name] {
				seen[g.Name] = true
				globals = append(globals, g)
			}
		}
	}
	return &Counterexample{Receiver: f.Receiver, Params: f.Params, TypeArgs: f.TypeArgs, Globals: globals, Objects: c.Objects, Types: c.Types}
}

func (d *Recording) consistent() *violation {
	ids := map[string]bool{}
	for i := range d.Crashes {
		c := &d.Crashes[i]
		bad := claim(ids, c.ID)
		if bad == nil {
			bad = c.consistent()
		}
		if bad != nil {
			return bad.in(".crashes" + index(i))
		}
	}
	return nil
}
