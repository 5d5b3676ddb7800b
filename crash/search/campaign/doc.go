// Package campaign tests a package with random candidates.
//
// Run builds the parameter graph of the package and one harness for all its operations. Until the
// time is over, it draws a round of candidates, runs them, and learns from what happens:
//
//   - a candidate that reaches new code is kept, to be mutated later;
//   - a candidate that comes closer to a goal is kept by the goal's plan (see package goal);
//   - operations that hang, end the process or are slow are avoided once they cost too much;
//   - a crash is kept with the best candidate that leads to it.
//
// Nothing of that depends on how long candidates take, as far as they are not very slow: with the same seed, a campaign
// draws the same candidates each time, and its time says only how many. Candidates run one after the other on one
// processor; their order over maps (package maporder), math/rand and the collector of garbage are the same each time.
//
// Half of the candidates are mutations of kept ones; with goals, three quarters are drawn towards
// one. At the end, the candidate of each crash is shrunk. Crashes that do not happen again are left
// out.
//
// Files, in reading order: campaign.go (Run and its loop), crash.go (which crashes are kept),
// shrink.go (making their candidates small).
package campaign
