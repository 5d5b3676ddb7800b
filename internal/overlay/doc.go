// Package overlay builds and runs a rewritten module without writing into it.
//
// An Overlay maps files of the module, by the names that they would have there, to replacements in
// a scratch directory, which Close removes. Command runs the go command with `-overlay`. Added
// files may make whole packages that exist nowhere on disk; `go vet` does not find those, so that
// tests run with -vet=off.
//
// The go command refuses overlays of files in the module cache. Open copies a module that lies
// there, and Detach copies a module of a build as a main module of its own.
//
// Files: overlay.go (Overlay), detach.go (Detach), edit.go (edits of a source text).
package overlay
