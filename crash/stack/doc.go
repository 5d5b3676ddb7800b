// Package stack parses the text of Go panics.
//
// The input is what a crashed program printed (Parse), or a text as people find it: copied from a
// terminal, a log file, an issue page or a mail, with what these put around it (Read). The result
// is a Panic: its kind, its message with the values in it, and the frames of the goroutine that
// panicked, crash first, with the words of their arguments.
//
// Read works in two steps. Clean restores the lines that the runtime printed: it removes escapes
// and quotation marks, unpacks log records, joins wrapped lines and cuts off prefixes such as time
// stamps. Frames in the forms of other programs get the runtime's form (foreign.go), and where no line
// says "panic: ", the message is looked for in what is told of a recovered panic (headless.go). Parse
// then needs to know only the runtime's own format. Arguments gives the words of a frame's arguments
// the types of the function's parameters.
//
// Not parsed: the stacks of other goroutines, and all panics but the first.
//
// Files: stack.go (Panic, Parse), clean.go (Read, Clean), foreign.go, headless.go, values.go (values of the
// message, words of the arguments), arguments.go (words by the types of parameters), within.go (the
// frames of one module).
package stack
