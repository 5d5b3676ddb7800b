// Package overlay builds and runs a rewritten testee without writing into it.
//
// In: replaced and added files, by the absolute names that they would have in the testee. Out: the go command's run,
// with `-overlay` and a scratch directory that is removed afterwards. Added files may make whole packages that exist
// nowhere on disk; such a virtual package needs -vet=off in go test, which Go sets.
//
// The go command refuses overlays under the module cache, so a testee that lies there is copied first: see Open.
package overlay
