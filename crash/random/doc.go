// Package random tests a module at random: it runs sequences of calls of exported functions and
// methods, and reports those that panic, each with a test [DSD 4].
//
// In: a loaded module. Out: a crashes document. The steps:
//
//  1. Draw and mutate candidates, package by package, until the time is over (package campaign).
//     Packages share the time; what one does not use goes to those after it.
//  2. Write the smallest candidate of each crash as a test. Leave out explicit panics and nil
//     arguments of functions without known preconditions, or that violate them, and inputs that
//     no user of the package can write.
//  3. Run each test several times, in processes of its own (package verify). Report the crashes
//     that show each time, grouped by stack (package report).
//
// Not handled: concurrent calls. Time decides how many candidates are drawn, not which: with a number of them, results
// are the same each time.
//
// Files in reading order: random.go, verify.go, policy.go.
package random
