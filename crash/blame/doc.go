// Package blame estimates whether a crash is a bug of the package or a misuse by its caller.
//
// Every crash happened. Whether it is a bug depends on contracts, which Go code rarely states. So
// Assess collects signs: small observations, each tested by itself and shown to the reader in one
// line. They come from the test (inputs.go, objects.go, links.go, fixtures.go), from the source
// around the panic (code.go, guard.go, callers.go, contract.go), and from running the test once more
// with the instrumentation of infer, which shows the values at the entry of every function called and
// which invariants they violate (observed.go) [DSD 4.3].
//
// The table in signs.go gives each sign a weight. A crash whose weights add up to at least
// LikelyBugScore is a likely bug. A few signs decide the rank alone. The weights were fitted to
// labeled crashes, see scripts/labels/README.md.
//
// compare.go leaves few likely bugs of those that are alike. It needs the crashes alone, so that it can be done
// again for those of several documents.
//
// Files, in reading order: blame.go, compare.go, signs.go (the table), reach.go, for.go, against.go (the signs);
// what they rest on: inputs.go, objects.go, links.go, fixtures.go, observed.go, code.go, guard.go,
// callers.go, contract.go.
package blame
