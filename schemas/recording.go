package schemas

import "io"

// Recording is the document that a program instrumented by `crash record` writes: the arguments of
// the functions on the stack of a panic [REC].
type Recording struct {
	Header
	// Label is the user's name for the build.
	Label string `json:"label,omitempty"`
	// Copy is how much of the arguments was copied when a function was entered [REC 2.3]:
	// reference, shallow, used, deep or depth=N. Values that were not copied are recorded as
	// they were at the panic.
	Copy string `json:"copy"`
	// Build is the program that ran.
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
	// Command is the command line of the program.
	Command []string `json:"command,omitempty"`
}

// CalledHere begins the message of a RecordedCrash that is no panic: the name of the function follows whose call was
// recorded.
const CalledHere = "recorded at a call of "

// RecordedCrash is a panic and the calls that it unwound.
type RecordedCrash struct {
	// ID is unique in the document: "R1".
	ID string `json:"id"`
	// Panic is the text as Go prints it, with the stack.
	Panic string `json:"panic"`
	// Value is the argument of panic; nil if it is unknown.
	Value *Node `json:"value,omitempty"`
	// Ended is what stopped the panic: "program" if it ended the program, "at FUNC" if it was
	// recovered, or "" if that is unknown.
	Ended string `json:"ended"`
	// Frames is the stack, innermost first.
	Frames []RecordedFrame `json:"frames"`
	// Objects are the nodes that values refer to by index.
	Objects []Node `json:"objects"`
	// Types define the dynamic types that other programs cannot name: types of the main module,
	// and types without a name.
	Types []TypeDef `json:"types,omitempty"`
	// Lost counts the values that cannot be rebuilt.
	Lost []Loss `json:"lost,omitempty"`
}

// Loss counts values that cannot be rebuilt, for one reason.
type Loss struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// RecordedFrame is a frame of a stack, with the values of the call if it was recorded.
type RecordedFrame struct {
	// Symbol is the function's name in the runtime.
	Symbol string `json:"symbol"`
	// File and Line are the position. The file of a dependency begins with its module.
	File string `json:"file"`
	Line int    `json:"line"`
	// Func is the function's name in documents, "" if the call was not recorded.
	Func string `json:"func,omitempty"`
	// TypeArgs, Receiver, Params and Globals are as in Counterexample.
	TypeArgs []string `json:"type_args,omitempty"`
	Receiver *Input   `json:"receiver,omitempty"`
	Params   []Input  `json:"params,omitempty"`
	Globals  []Input  `json:"globals,omitempty"`
}

// Call returns the recorded call of a frame in the form of a counterexample. Its Globals are the
// package-level variables that the function of the frame and of the frames inside it read.
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
	return &Counterexample{
		Receiver: f.Receiver, Params: f.Params, TypeArgs: f.TypeArgs,
		Globals: globals, Objects: c.Objects, Types: c.Types,
	}
}

// ReadRecording reads the document that recorded programs write, to the end of r. Errors call the
// input name.
func ReadRecording(r io.Reader, name string) (*Recording, error) {
	return read(r, name, RecordingName, new(Recording))
}

// WriteRecording is like WriteInvariants.
func WriteRecording(w io.Writer, d *Recording) error { return write(w, RecordingName, d) }
