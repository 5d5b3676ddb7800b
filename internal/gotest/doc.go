// Package gotest builds the tests of packages once and runs them as often as needed, each package in a
// copy of its folder: tests may write there, and the module stays as it is.
//
//   - build.go makes the test binaries of all packages in one run of the go command.
//   - mirror.go copies a package's folder.
//   - run.go runs a binary and reads what became of each test.
//   - passing.go finds out which tests have to be left out so that the others pass.
package gotest
