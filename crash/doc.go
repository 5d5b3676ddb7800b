// Package crash is the dynamic stage that comes last: it builds the inputs that the checker found, runs them, and
// reports only what crashed.
//
// Confirm: warnings document -> compose (Go tests) -> harness (one binary a package, a process a test) -> stack (what
// the panic says) -> report (policy, grouping) -> crashes document. Sources: [DSD 4.3, 5.4, 6.4.3].
package crash
