// Package memo keeps what generated tests and candidates showed, from one run of a command to the next.
//
// What a test shows depends on the test, on the package that it is compiled into, on what that package imports, and on
// how it is run: a confined process sees nothing else. So the result of a test is kept under a digest of these; see
// Memo.Build. After a change, only the tests of packages that the change reaches run again, and of the others not even
// the binary is built.
package memo
