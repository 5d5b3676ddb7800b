// Package testrun runs generated tests, each in a process of its own.
//
// The tests of a package are compiled into one binary, together with the package's own test files,
// as they will be where a user keeps them. Each test then runs in a fresh process, so that it sees
// package-level state as initialized [DSD 8], and as often as Options.Repeat says, to find out
// whether it is flaky. Package candidate is the other kind of execution: thousands of call
// sequences in one process, with resets in between; what it finds is confirmed here.
//
// The input is Go test files and the package that they belong to; the output is what each test
// printed and how it ended. The testee is not written to: the files are overlaid
// (internal/overlay), and the tests run confined (internal/confine) in a scratch directory, with
// bounds on time, memory and output.
//
// A test that does not compile is left out and the others are compiled again. If the package's own
// test files do not compile, they are left out, too.
package testrun
