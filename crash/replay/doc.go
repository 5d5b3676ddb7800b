// Package replay makes tests from a recording: one for each frame of a recorded crash whose
// arguments were recorded [REC 2.2].
//
// In: a recording (package record). Out: a crashes document. The steps:
//
//  1. Locate the frames of the recorded panic in the build, and load each module that has some
//     (package origin).
//  2. Write up to four tests for each frame, the plainest first: with the arguments as literals or
//     loaded from a file, with package-level variables as they are or as they were recorded
//     (package compose).
//  3. Run the tests. Keep, for each frame, the plainest one that panics like the original.
//  4. If asked to, minimize the test: leave out the parts of the recorded values without which it
//     still panics.
//
// Not handled: crashes that depend on something that a recording cannot hold. The tests of their
// frames do not panic, and the frames are listed as unreplayed.
//
// Files in reading order: replay.go, frame.go, minimize.go, parts.go.
package replay
