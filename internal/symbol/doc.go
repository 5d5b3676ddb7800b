// Package symbol parses and prints the two texts by which stack traces and documents refer to code:
// the names of functions and source positions.
//
// A Name is the name of a function as runtime.Frame and stack traces print it, such as
// example.com/m/pkg.(*T[...]).M.func1. A Pos is a position "file:line:col" as the documents write
// it.
//
// The grammar of names is that of the compiler and the linker: cmd/compile/internal/ir
// (MethodSymSuffix, closureName) makes the part after the package, cmd/internal/objabi
// (PathToPrefix) escapes the import path. A name does not tell a method from a function literal
// that was inlined into another function: p.F.G.func1 is the first literal of the method G of type
// F, or the first literal of the function G, inlined into F. Parse takes it for the method;
// Name.Declared returns both candidates.
//
// Files: name.go (names), path.go (import paths), pos.go (positions).
package symbol
