// Package report decides which crashes are reported, and prints documents for people.
//
// In: the crashes that tests showed. Out: the reported ones, and text. The steps:
//
//  1. A Policy suppresses confirmed crashes that are argument checks rather than bugs
//     [DSD 4.3, 5.4, 6.4.3].
//  2. Rank estimates whether a crash is a bug.
//  3. Group keeps one crash per stack.
//  4. Text, Summary and Recording print crashes, reproductions and recordings.
//
// Files in reading order: policy.go, rank.go, group.go, text.go, reproduction.go, source.go,
// recording.go.
package report
