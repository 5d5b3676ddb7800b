// Package e2e tests the built commands: everything that a user can observe of infer, check and
// crash, and nothing that only their code can.
//
// A test is an archive in testdata: files, then commands with the output and exit status that they
// must have (TestScripts describes the form). TestMain builds the commands once. After each script
// the runner checks what must always hold: the directories of the testees are unchanged,
// modification times included, no temporary file is left, and no invariants document contradicts
// itself.
//
// Slow steps run only if DSD_SLOW=1 is set, as make test-all does.
//
// Files, in reading order:
//
//	script_test.go    the runner of the archives
//	tools_test.go     the commands that scripts use besides ours: show, rerun, interrupt, validate
//	update_test.go    -update, which writes the actual output into the archives
//	pipeline_test.go  the README's first command, and the modules that check is tested on
//	docs_test.go      the paths that the documentation mentions exist
package e2e
