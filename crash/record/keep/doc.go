//go:build go1.21

// Package keep is the runtime of a recorded program: it keeps the arguments of the functions that a
// panic unwinds, and writes them into a file [REC 2.1]. Package record embeds its source and adds
// it to the testee as a package, so it uses the standard library alone and builds with Go 1.21.
//
// # Algorithm
//
//  1. The first statement of each recorded function defers a function that calls Frame if the
//     function did not return. Without a panic that costs a store and a test. Nothing is wrapped
//     and no shadow stack is kept, unlike in ReCrash: a panic leaves the real stack in place.
//  2. Frame checks that a panic called it, finds the function's frame in the stack trace, and keeps
//     pointers to the arguments.
//  3. When the panic has left the outermost recorded function, the kept arguments are written as an
//     object graph: first all memory they lead to is found, then regions that lie in others are
//     joined with these, so that aliasing survives, and each region becomes an object.
//  4. The runtime of Go writes into a second file what ended the program. Package record drops the
//     recordings of panics that the program recovered from.
//
// The arguments are read when the panic unwinds, so side effects of the function show in them. The
// copying modes [REC 2.3.1] save more on entry: Copy copies memory up to a depth, and FrameUsed
// gets the old contents of fields that the function may write.
//
// Fatal errors, such as a stack overflow, run no deferred function. When one has been seen, the
// functions on its stack call Enter and write their arguments on entry; see fatal.go.
//
// # Limits
//
// Other goroutines go on running, so what they change in the meantime is recorded as it is then,
// and values may be half written. Unsafe pointers, addresses held as numbers, and closures of packages
// that are not recorded cannot be restored; the recording counts them as lost.
//
// # Files
//
// keep.go has the functions that recorded functions call, and stack.go reads the stack of a panic.
// graph.go finds the memory that values lead to, node.go writes values as nodes of the document,
// types.go writes types. closure.go reads the captured variables of closures, access.go and maps.go what else
// the language does not show. copy.go copies arguments on entry, fatal.go is for fatal errors, here.go for
// calls without a panic. document.go writes the document, output.go asks for the text of what ends the
// program.
package keep
