package schemas

import (
	"io"
	"strings"
)

// Warnings is the document that `check` writes.
type Warnings struct {
	Header
	// Assumed reports whether an invariants document was assumed (user level) or not (language
	// level) [DSD 2.4.1].
	Assumed bool `json:"assumed"`
	// Platform is what the testee was built for, such as "linux/386"; empty if that is the platform of
	// the machine that it was checked on.
	Platform string `json:"platform,omitempty"`
	// Tests reports whether the functions of test files were analyzed, too.
	Tests bool `json:"tests,omitempty"`
	// Shards says which parts of the testee's functions the document is about; nil if it is about all.
	Shards *Shards `json:"shards,omitempty"`
	// Baseline compares the warnings with those of a document of before; nil if they were not compared.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Functions counts the functions analyzed, without the skipped ones.
	Functions int `json:"functions"`
	// Warnings are sorted by position, then function.
	Warnings []Warning `json:"warnings"`
	// Skipped are the functions that were not analyzed, sorted.
	Skipped []Skipped `json:"skipped"`
	// Bounded are the functions analyzed only up to a bound, sorted, with what was cut off.
	Bounded []Skipped `json:"bounded"`
	// Directives are the comments in the source by which warnings are ignored.
	Directives []Directive `json:"directives,omitempty"`
	Stats      CheckStats  `json:"stats"`
}

// Useless returns the directives that have no effect: those with a problem, and those that no warning matches, as
// far as the functions that they are in were analyzed.
func (d *Warnings) Useless() (out []Directive) {
	for _, x := range d.Directives {
		if x.Problem != "" || d.Shards == nil && x.Analyzed == x.Functions && x.Matches == 0 {
			if x.Problem == "" {
				x.Problem = "no warning matches"
			}
			out = append(out, x)
		}
	}
	return out
}

// CheckStats counts work. No number depends on the speed of the machine.
type CheckStats struct {
	// Assertions counts the places where a panic was possible, after inlining and unrolling.
	Assertions int `json:"assertions"`
	// Folded counts the assertions that simplified to true without the solver.
	Folded int `json:"folded"`
	// Queries counts the queries to the solver; Unsat, Sat and Unknown count its answers.
	Queries int `json:"queries"`
	Unsat   int `json:"unsat"`
	Sat     int `json:"sat"`
	Unknown int `json:"unknown"`
	// Guessed counts the counterexamples that were found without the solver.
	Guessed int `json:"guessed,omitempty"`
	// Refuted counts the questions whose answer is no by bounds of the values alone, without the solver.
	Refuted int `json:"refuted,omitempty"`
}

// Shards are parts of something that was divided: those with the numbers Have, from 1 to Of, sorted.
type Shards struct {
	Of   int   `json:"of"`
	Have []int `json:"have"`
}

// Warning is a panic that may be possible.
type Warning struct {
	// ID is unique in the document: "W12".
	ID string `json:"id"`
	// Fingerprint is unique in the document, too, and stays the same when code elsewhere changes; older
	// documents have none.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Known reports whether the baseline has the warning.
	Known bool `json:"known,omitempty"`
	// Ignored is the reason that a comment in the source gives for ignoring the warning.
	Ignored string `json:"ignored,omitempty"`
	Kind    Kind   `json:"kind"`
	// Func is the function analyzed. The panic may be in a function that it calls.
	Func string `json:"func"`
	// Pos is the position of the panic, "file:line:col".
	Pos string `json:"pos"`
	// Message describes the panic, in words and Go syntax.
	Message string `json:"message"`
	// Path is the path from Func to Pos: calls and decided conditions, in order of execution.
	Path []Step `json:"path"`
	// Assumed are the IDs of the invariants that the warning's formula contains.
	Assumed []string `json:"assumed"`
	// Counterexample are inputs that lead to the panic; nil only if Status is Unknown.
	Counterexample *Counterexample `json:"counterexample,omitempty"`
	Status         Status          `json:"status"`
	// Param is the name of the parameter that is dereferenced, if the panic is the nil
	// dereference of a parameter itself.
	Param string `json:"param,omitempty"`
	// DependsOn says on what the panic depends besides the inputs, sorted, if Status is Free: what a
	// call returns or writes, whether others call a function. No caller can choose these.
	DependsOn []string `json:"depends_on,omitempty"`
	// Preconditions reports whether entry invariants of Func were known and assumed.
	Preconditions bool `json:"preconditions,omitempty"`
	// Recovered reports whether a deferred function may recover the panic: it need not end the program.
	Recovered bool `json:"recovered,omitempty"`
}

// MapPositions replaces all positions by what f returns for them. It reports whether f was ok for all.
func (w *Warning) MapPositions(f func(string) (string, bool)) bool {
	pos, allOK := f(w.Pos)
	w.Pos = pos
	for i := range w.Path {
		pos, ok := f(w.Path[i].Pos)
		w.Path[i].Pos = pos
		allOK = allOK && ok
	}
	return allOK
}

// Step is a point on a path.
type Step struct {
	Pos  string `json:"pos"`
	Note string `json:"note"`
}

// The notes of steps that lead into a function begin with one of these; the function's name follows.
const (
	StepCalls  = "calls "
	StepStarts = "starts "           // as a goroutine
	StepOffers = "lets others call " // as a function value, which may never be called
)

// Callee returns the function that the step leads into, "" for a condition that was decided.
func (s Step) Callee() string {
	for _, verb := range []string{StepCalls, StepStarts, StepOffers} {
		if name, ok := strings.CutPrefix(s.Note, verb); ok {
			return name
		}
	}
	return ""
}

// ReadWarnings reads the document that `check` writes, to the end of r. Errors call the input name.
func ReadWarnings(r io.Reader, name string) (*Warnings, error) {
	return read(r, name, WarningsName, new(Warnings))
}

// WriteWarnings is like WriteInvariants.
func WriteWarnings(w io.Writer, d *Warnings) error { return write(w, WarningsName, d) }
