// Package locate finds the frames of a panic in a build: the module and the function of each frame,
// and whether the source at the frame's position can be what panicked or called.
//
// A frame's text names a package, a function and a position. The build gives the module of the
// package. The position is tried first: if the declared function around it has one of the names
// that the frame's name consists of, the frame fits. Otherwise the function is looked up by its
// name. Where it exists, but not at the frame's lines, the frame is a misfit: the binary had
// another version of the module, or its files were edited since. If that version is known, the line
// is looked for by its source instead: see moved.go.
//
// Not handled: frames of the standard library, which have no module, and of generated code whose
// positions come from //line directives.
package locate
