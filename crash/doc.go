// Package crash is the overview of the last stage: it makes inputs, runs them, and reports only
// those that crash, each with a Go test. It has no code of its own. The code is in one package per
// command and in the packages they share.
//
// The commands and their flow:
//
//	confirm    warnings -> compose (tests with literals) -> verify
//	                       -> observe, and ask the solver again -> verify
//	                       -> search (call sequences) -> verify -> report
//	                       -> crashes document [DSD 4.3, 5.4, 6.4.3]
//	random     module -> search (mutated call sequences) -> verify -> report
//	                       -> crashes document [DSD 4]
//	reproduce  panic text -> stack -> origin -> search (guided by the stack) and solver
//	                       -> crashes document [STAR], [EVO], [SEED]
//	replay     recording -> stack -> origin -> compose (a test for each frame)
//	                       -> crashes document [REC]
//
// Packages of values and programs:
//
//	candidate  runs programs over a table of functions by reflection, in another process
//	search     draws, mutates and minimizes candidates
//	compose    writes values and call sequences as Go tests
//	gofile     writes Go files with their imports
//	record     instruments a program so that a crash records its arguments
//
// Packages of panics and tests:
//
//	stack      reads the text of a panic
//	locate     finds the frames of a panic in a build
//	origin     opens the module in which a panic occurred, and compares tests with that panic
//	testrun    compiles and runs generated tests
//	observe    runs generated tests, and tells how conditions came out and what calls returned
//	confine    bounds what the processes of candidates and tests may do
//	verify     names, runs and writes generated tests, and compares them with the expected crash
//	blame      ranks crashes: is the package at fault, or its caller?
//	report     decides what is reported, groups it, and prints it
//	keep       turns the test of a crash into one that stays in the package
//	fix        finds the check that would prevent a crash, and writes it
//	mended     tells which crashes of before are mended
//	merge      puts the documents of several machines together
//
// The packages of the commands do not import each other.
//
// Sources: [DSD] Csallner 2008, dissertation; [STAR] Chen and Kim, TSE 2015; [EVO] Soltani et al.,
// ICSE 2017; [SEED] Derakhshanfar et al. 2020; [REC] Kim, Artzi and Ernst 2007.
package crash
