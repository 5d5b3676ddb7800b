// Package finding turns an obligation that may fail into a warning of the document.
//
// In: an obligation (vcgen), and the model of its failure. Out: a schemas.Warning with the path to
// the panic and, from the model, a counterexample: an object graph of Go values that names only
// what the model constrains. Aliases, cycles and results of calls that were not followed survive.
//
//	finding.go      what is kept of an obligation, and which obligations are one warning
//	warning.go      the warning
//	modelreader.go  the model as Go values
//	mapkey.go       keys of maps, which the solver knows as numbers
package finding
