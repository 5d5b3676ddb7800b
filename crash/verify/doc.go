// Package verify turns a crash that was only observed, computed or recorded into one that a test
// shows.
//
// The commands confirm, random, reproduce and replay find inputs in different ways. What follows is
// the same for all of them:
//
//  1. A generated test gets a name that says which function panics and how (Namer).
//  2. Package testrun runs the test, each run in a process of its own (Run).
//  3. The panic of the run is compared with the expected one: same kind, same line (Compare).
//  4. The test of a reported crash is written below a directory, in the layout of the testee
//     (WriteTests).
//
// Files in reading order: name.go, run.go, compare.go, write.go, log.go.
package verify
