// Package search finds crashes by running candidates: sequences of calls of one package.
//
// This package is only an overview. Two kinds of search share the packages below it:
//
//   - campaign tests a package at random: any crash will do, or those of given counterexamples;
//   - evolve reproduces one crash from its stack trace, by a guided genetic algorithm.
//
// The packages, each building on those above it:
//
//	constants    values for literals: constants of the source, sample files, traces of the tests
//	program      building and editing candidates
//	paramgraph   which operations produce values of which types [DSD 4.2]
//	carve        candidates and operations from the tests of the package [SEED 3.4]
//	generate     drawing and mutating candidates
//	modelseed    call sequences from usage models [SEED 3.2]
//	goal         candidates towards the inputs of a counterexample [STAR 4.5]
//	feedback     what the runs of candidates tell: new code, costs, crashes
//	minimize     making any value small while a predicate holds
//	shrink       making candidates small
//	campaign     random testing
//	evolve       reproduction of a crash [EVO], [SEED]
//
// Package candidate runs the candidates in a harness that holds all operations of the graph.
package search
