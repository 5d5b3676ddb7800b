// Package stack parses the text of Go panics.
//
// The input is what a crashed program printed (Parse), or a text as people find it: copied from a
// terminal, a log file, an issue page or a mail, with what these put around it (Read). The result
// is a Panic: its kind, its message with the values in it, and the frames of the goroutine that
// panicked, crash first, with the words of their arguments.
//
// Read works in two steps. Clean restores the lines that the runtime printed: it removes escapes
// and quotation marks, unpacks log records, joins wrapped lines and cuts off prefixes such as time
// stamps. It rewrites the stack frames of debuggers, frameworks and loggers in the runtime's format
// (foreign.go). If no line begins with "panic: ", it takes the message from the log lines before the
// stack (headless.go). Parse then needs to know only the runtime's own format. Arguments gives the words of a frame's arguments
// the types of the function's parameters.
//
// Not parsed: the stacks of other goroutines, and all panics but the first.
//
// Files: stack.go (Panic, Parse), clean.go (Read, Clean), foreign.go, headless.go, values.go (values of the
// message, words of the arguments), arguments.go (words by the types of parameters), within.go (the
// frames of one module).
package stack
