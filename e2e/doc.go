// Package e2e has the tests of the built commands: everything that a user can see of infer, check and crash, and
// nothing that only their code can.
//
// A test is an archive in testdata (script_test.go has the form): files, then commands with what they must print and
// their exit status. TestMain builds the commands once. After each script the runner itself makes sure of what must
// hold whatever was done: the testee's directories are as they were, modification times included, and no temporary
// file is left. tools_test.go has the commands that scripts use besides ours: show, rerun, interrupt, and validate.
package e2e
