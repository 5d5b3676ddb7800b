// Package evolve reproduces a crash from its stack trace by a guided genetic algorithm [EVO III].
//
// A Searcher holds the parameter graph and the harness of one package with functions on the stack.
// The harness measures how far a run gets along the stack, so that Search can evolve a population
// of candidates towards the target crash. Each generation is a batch of candidates:
//
//  1. seeds come first: candidates carved from the tests [SEED 3.4], and programs that a solver
//     made;
//  2. the others are mutations and crossovers of the population, mutations of candidates that
//     reached new code and of the seeds, and new candidates; each calls a function on the stack;
//  3. the harness runs them, and climbs from the most promising ones by changing literals;
//  4. a crash that matches more frames of the target than any before is run again by itself, and
//     kept if it repeats;
//  5. the fittest candidates stay in the population.
//
// At the end, the candidate of the crash is shrunk; without a crash, the fittest candidate is.
// Objects may be made by call sequences from usage models [SEED 3.2], and arguments follow what the
// stack trace says about them. Methods that write what decides about the way to the crash are called
// more often [STAR 4.5.3].
//
// Files, in reading order: stacktrace.go (the target crash), fitness.go (the fitness
// function), searcher.go (Searcher), writers.go (which methods write what decides), search.go (Search and its options), evolution.go (the
// generations), crash.go (which crash is kept), operators.go (initialization, mutation and
// crossover), population.go (selection).
package evolve
