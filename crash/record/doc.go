// Package record makes a program write down the arguments of the functions on the stack of a panic,
// so that the crash can be reproduced from them [REC].
//
// In: packages of the main module and of its dependencies, and the arguments of a go command. Out:
// that command, run on rewritten sources, and a recording (schemas.Recording) with the object graph
// of each frame's arguments.
//
// # Algorithm
//
//  1. Open rewrites the functions of the packages, except trivial ones [REC 2.3.2]. The first
//     statement of a function defers a call that acts only if the function does not return, with
//     pointers to the arguments; each way to return sets a variable. Nothing is wrapped, since that
//     would change what recover and runtime.Caller do.
//  2. Run runs the go command with an overlay of the rewritten files. The runtime, package keep,
//     becomes a package of the main module. Dependencies cannot be overlaid, so a module with
//     functions to record is copied, and a go.mod of our own replaces the module by the copy.
//  3. The runtime writes a document for each panic; see its package comment. Collect joins the
//     documents, without panics that the program recovered from.
//
// The copying modes of [REC 2.3.1] say what is saved when a function is entered: reference
// (nothing), shallow, used (the fields that the function may write), depth=N, and deep (copy in
// [REC]). The second-chance mode [REC 2.3.2] records nothing until a crash has been seen, then only
// the functions on its stack.
//
// # Limits
//
// Functions that must not grow the stack and files that use names with _dsd_ are left out, with the
// reason. Commands that need an overlay or a go.mod file of their own cannot be recorded.
//
// # Source
//
// [REC] S. Kim, S. Artzi, M. Ernst, ReCrash: making crashes reproducible, 2007.
//
// # Files
//
// record.go has the options and Open, modules.go decides which packages to rewrite and how, run.go
// runs the command and collects the recordings, and secondchance.go has that mode.
//
// rewrite.go inserts the deferred calls, inputs.go names the receiver and the parameters,
// globals.go registers package-level variables and errors, returns.go marks the ways to return,
// here.go records calls without a panic, literals.go inserts the code that reads the captured variables of
// closures, and saves.go saves fields on entry. writes.go finds the fields that a function may write, and
// trivial.go the functions that are not recorded. table.go writes the Go file that tells the
// runtime about the program.
//
// redact.go removes the user's texts from a recording.
package record
