// Package explain writes warnings for people: all warnings of a document, one line each, or one
// warning in full.
//
// In full, a warning has its position, the path to the panic, the inputs and the assumptions
// (explain.go). Values are in Go syntax, without the directories of import paths (value.go).
package explain
