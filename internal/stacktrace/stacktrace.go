// Package stacktrace defines the two forms of a stack frame that the tools share: a Frame holds
// what the text of a panic prints, a Located also where that is in the modules of a build.
//
// Package crash/stack parses Frames, and package crash/locate locates them. The search
// (crash/search) and the solver (package check) both follow Located frames.
package stacktrace

import (
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// Frame is a stack frame as the text of a panic prints it.
type Frame struct {
	// Func is the name of the function; package symbol parses it.
	Func string
	// File is absolute unless the binary was built with -trimpath; "" if the text has none.
	File string
	// Line is the line in File; 0 if the text has none.
	Line int
	// Args are the words of the arguments as printed, and "..." for an inlined call, whose
	// arguments are not printed. crash/stack.Words parses them.
	Args string
	// Offset is the number of lines from the first line of the function, in texts that print
	// this number in place of a file and a line.
	Offset int
}

// Located is a stack frame with what the build has there.
type Located struct {
	Frame
	// Module is the module of the function. It is nil if the build has none: the function
	// belongs to the standard library, or to a program that is not here.
	Module *source.Module
	// Package is the import path of the function's package.
	Package string
	// Pos is the position of the call or the panic: a file relative to the root of Module, and
	// a line. It is zero if the frame's position does not fit the source.
	Pos symbol.Pos
	// Decl is the name of the declared function that is or encloses the frame's function: F,
	// T.M or (*T).M; "init" for a function literal that a package-level variable holds; "" if the source has
	// none.
	Decl string
	// Literal reports whether the frame is of a function literal inside Decl.
	Literal bool
	// Source is the line of source code at the frame's position, without indentation.
	Source string
	// Misfit is the reason why the frame does not fit the source; "" if it does.
	Misfit string
	// Assumed says from which line of another version Pos was concluded; "" if it is the text's own.
	Assumed string
	// Fn is the declared function in a loaded program. It is nil before the program is loaded,
	// and for a frame that is not to be called.
	Fn *source.Func
	// Known is what the text says of the receiver and the parameters of Fn, in order; there may
	// be fewer.
	Known []Argument
}

// Argument is what the words of a stack trace say of an argument. Its zero value, but for a Length
// of -1, says nothing.
type Argument struct {
	// Known reports whether the argument is a number or boolean with the value Bits,
	// sign-extended to 64 bits; the Bits of a float are those of its float64.
	Known bool
	Bits  uint64
	// Length is the length of a string or slice; -1 if it is not known.
	Length int
	// Nil reports whether the argument is nil, and Set whether it is not nil.
	Nil, Set bool
}
