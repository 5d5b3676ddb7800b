// Package summary computes what functions of the standard library ensure of their results, from
// their source: time.Time.Hour is between 0 and 23. check assumes it where it does not follow a call
// and has no model of the function (check/lower/summaries.go).
//
// In: the source of a package of the standard library. Out: conditions over the parameters and the
// results of its exported functions, in the language of internal/expr. A condition is guessed from
// the signature (candidates.go) and kept if check proves it for all arguments; a function that is
// not followed to its end, because of a loop or a call, has none.
//
// The summaries are in check/lower/summaries.json, with the version of Go that they were made from.
// The test makes them anew with -update; and it calls the functions with random arguments, and
// tests each summary, with the version of Go at hand.
package summary
