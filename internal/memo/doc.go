// Package memo keeps what the code of a package showed when it ran, from one run of a command to the next: the tests of the
// package itself, generated tests, and candidates.
//
// What a test shows depends on the test, on the package that it is compiled into, on what that package imports, and on
// how it is run: a confined process sees nothing else, and it is known what the package's own tests look at. So the
// result of a test is kept under a digest of these; see Memo.Build. After a change, only the tests of packages that the
// change reaches run again, and of the others not even the binary is built.
package memo
