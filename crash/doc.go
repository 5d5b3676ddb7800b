// Package crash is the dynamic stage that comes last: it builds inputs, runs them, and reports only what crashed.
//
// Confirm: warnings document -> compose (Go tests) -> harness (one binary a package, a process a test) -> stack (what
// the panic says) -> report (policy, grouping) -> crashes document. Sources: [DSD 4.3, 5.4, 6.4.3].
//
// Random: a loaded module -> search (candidates over a table of operations, run by exec) -> harness -> crashes document
// [DSD 4].
//
// Reproduce: the text of a panic -> stack -> locate (which module of the build, which lines) -> search, guided by the distance to the
// stack's lines, and solving along the stack -> harness -> crashes document. Sources: [STAR], [EVO], [SEED].
//
// Replay: a recording (record) -> compose (a test a frame) -> harness -> crashes document. Source: [REC].
package crash
