// Package prove analyzes one function: which of its assertions cannot fail, and which can, with
// what inputs.
//
// In: a lowered function (lower.Root), the contracts to assume, and what is already proved of its
// callees. Out: warnings, the reasons why the analysis is bounded, and which assertions are proved,
// for the callers. The steps:
//
//  1. vcgen makes the obligations, under the contracts (prove.go).
//  2. query decides each. If the contracts contradict each other, they are dropped and the function
//     is analyzed again: a contradiction would prove everything.
//  3. Loops that a counterexample asks to follow for more passes are followed (deepen.go).
//  4. The assertions that cannot fail, for any arguments and any memory, are a cache for the
//     callers (cache.go), which wait for them (queue.go).
//  5. The result is kept with what it rests on, and taken over in a later run where that is the same
//     (memo.go).
//
// Sources: [ESC], [WP]; invariants are assumptions, never requirements [DSD 6.4.1].
package prove
