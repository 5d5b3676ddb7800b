package schemas

import "io"

// Crashes is the document that `crash` writes.
type Crashes struct {
	Header
	// Shards says which parts of the testee's packages the document is about; nil if it is about all.
	Shards *Shards `json:"shards,omitempty"`
	// Baseline compares the crashes with those of a document of before; nil if they were not compared.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Crashes are sorted by position, then function.
	Crashes []Crash `json:"crashes"`
	// Unconfirmed are the warnings that did not become a reported crash, in the order of their IDs.
	Unconfirmed []Unconfirmed `json:"unconfirmed"`
	// Unreplayed are the recorded calls for which no test crashes as recorded.
	Unreplayed []Unreplayed `json:"unreplayed,omitempty"`
	// Skipped are the functions that were not tested at random, sorted.
	Skipped []Skipped  `json:"skipped,omitempty"`
	Stats   CrashStats `json:"stats"`
	// Reproduction describes the goal and the searches of `crash reproduce`.
	Reproduction *Reproduction `json:"reproduction,omitempty"`
}

// Crash is a panic that was observed.
type Crash struct {
	// ID is unique in the document: "C3".
	ID string `json:"id"`
	// Fingerprint is unique in the document, too, and stays the same when code elsewhere changes; older
	// documents have none.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Known reports whether the baseline has the crash.
	Known bool `json:"known,omitempty"`
	// Ignored is the reason that a comment in the source gives for ignoring the crash.
	Ignored string `json:"ignored,omitempty"`
	Kind    Kind   `json:"kind"`
	// Func is the function that the test calls first.
	Func string `json:"func"`
	// Pos is the position of the panic, "file:line" or "file:line:col", relative to the
	// module's root.
	Pos string `json:"pos"`
	// Message is the panic's own text.
	Message string `json:"message"`
	// Stack are the frames in the testee, innermost first.
	Stack []Frame `json:"stack"`
	// Warning is the ID of the warning that led here.
	Warning string `json:"warning,omitempty"`
	// SatisfiesInvariants reports whether Func has inferred preconditions and the inputs
	// satisfy them.
	SatisfiesInvariants bool `json:"satisfies_invariants"`
	// Inputs is the Go source of the inputs and the call.
	Inputs  string  `json:"inputs"`
	Test    Test    `json:"test"`
	BuiltBy BuiltBy `json:"built_by"`
	// UnexportedCalls reports whether the test, instead of setting unexported fields, calls
	// unexported functions.
	UnexportedCalls bool `json:"unexported_calls,omitempty"`
	// FoundAfter is the time in seconds until the crash was found: since the first candidate of
	// its package in a random search, and since the start in a reproduction.
	FoundAfter float64 `json:"found_after,omitempty"`
	// Strategy is the strategy that reproduced the panic, or confirmed the warning, or
	// StrategyRecording for a replay.
	Strategy Strategy `json:"strategy,omitempty"`
	// Rounds is the number of times that the solver was asked again, under what earlier tests
	// showed, before it found the inputs; absent if it is 0.
	Rounds int `json:"rounds,omitempty"`
	// Candidates is the number of candidates tried until the crash was found: of its package in a random search.
	Candidates int `json:"candidates,omitempty"`
	// Flaky reports whether the test did not crash every time.
	Flaky bool `json:"flaky,omitempty"`
	Rank  Rank `json:"rank,omitempty"`
	// Signs speak for or against a bug. Score is the sum of their weights; the rank depends on
	// it, unless a sign decides the rank.
	Signs []Sign `json:"signs,omitempty"`
	Score int    `json:"score,omitempty"`
	// GroupSize counts the warnings that led to the same stack.
	GroupSize int `json:"group_size"`
	// Level counts the frames of the stack that match the wanted ones.
	Level int `json:"level"`
	// Sameness says how much the panic is like the wanted one; absent if there is none.
	Sameness Sameness `json:"sameness,omitempty"`
}

// Sameness says how much a panic is like another one of the same kind at the same line.
type Sameness string

const (
	Identical   Sameness = "identical"    // the same message and address
	OtherValues Sameness = "other-values" // other values in them
	OtherCause  Sameness = "other-cause"  // another fault on that line
)

// Better reports whether a panic that is so much like the wanted one is preferred to another one.
func (s Sameness) Better(than Sameness) bool { return s.rank() > than.rank() }

func (s Sameness) rank() int {
	switch s {
	case Identical:
		return 2
	case OtherValues:
		return 1
	}
	return 0
}

// Sign is an observation about a crash that speaks for or against a bug.
type Sign struct {
	// Name identifies the sign: "returns-error".
	Name string `json:"name"`
	// Weight is positive if the sign speaks for a bug.
	Weight int `json:"weight"`
	// Text is a line for the reader.
	Text string `json:"text"`
}

// SimilarPanic is the name of the sign of a crash if one with a better rank or score shows a similar
// panic: in a call of the same function, or in the same function.
const SimilarPanic = "similar-panic"

// Frame is a stack frame.
type Frame struct {
	Func string `json:"func"`
	Pos  string `json:"pos"`
}

// Test is a Go test that crashes.
type Test struct {
	// Package is the import path of the directory that the file belongs into.
	Package string `json:"package"`
	File    string `json:"file"`
	Name    string `json:"name"`
	Source  string `json:"source"`
	// Files are other files that the test needs: recorded values, and the code that loads them.
	Files []TestFile `json:"files,omitempty"`
}

// TestFile is a file that a test needs.
type TestFile struct {
	// File is the path relative to the directory of the test.
	File    string `json:"file"`
	Content string `json:"content"`
}

// Unconfirmed is a warning that did not become a reported crash, and why.
type Unconfirmed struct {
	Warning string `json:"warning"`
	// Outcome is the kind of Reason; older documents have none.
	Outcome Outcome `json:"outcome,omitempty"`
	Reason  string  `json:"reason"`
}

// Unreplayed is a recorded call for which no test crashes as recorded, and why.
type Unreplayed struct {
	// Crash is the ID in the recording.
	Crash string `json:"crash"`
	// Func is the function, "" for the whole crash.
	Func   string `json:"func,omitempty"`
	Reason string `json:"reason"`
}

// CrashStats counts work.
type CrashStats struct {
	// Candidates counts the tests that were run.
	Candidates int `json:"candidates"`
	// Confirmed counts the warnings that crashed as predicted, whether the policy reports them
	// or not.
	Confirmed int `json:"confirmed"`
	// BySequence counts the confirmed warnings whose inputs are built by calls of exported
	// functions.
	BySequence int `json:"by_sequence,omitempty"`
	// NoPublicWay counts the confirmed and reported warnings whose inputs only code inside the
	// package can write, as far as was found.
	NoPublicWay int `json:"no_public_way,omitempty"`
	// Elsewhere counts the candidates that crashed at another place or with another kind of
	// panic than predicted.
	Elsewhere int `json:"elsewhere"`
	// Suppressed counts the crashes that the policy does not report.
	Suppressed int `json:"suppressed,omitempty"`
	// Unverified counts the crashes of candidates whose tests did not run, because the time was over.
	Unverified int `json:"unverified,omitempty"`
}

// ReadCrashes reads the document that `crash` writes, to the end of r. Errors call the input name.
func ReadCrashes(r io.Reader, name string) (*Crashes, error) {
	return read(r, name, CrashesName, new(Crashes))
}

// WriteCrashes is like WriteInvariants.
func WriteCrashes(w io.Writer, d *Crashes) error { return write(w, CrashesName, d) }
