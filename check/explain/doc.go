// Package explain writes warnings for people: all of a document, one line each, or one of them in
// full.
//
// Warning prints what happens where, the path to the panic, the inputs and the assumptions. Values
// are in Go syntax, with the directories of import paths removed.
package explain
