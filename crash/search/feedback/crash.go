package feedback

import (
	"go/types"
	"slices"
	"strings"
	"time"

	"dsd/crash/candidate/instrument"
	"dsd/crash/search/paramgraph"
	"dsd/crash/stack"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// Crash is a panic or fatal error in the testee, with the best candidate found that leads to it.
type Crash struct {
	Kind    schemas.Kind
	Message string
	// Frames are the frames in the testee, innermost first. There is at least one. Above are those
	// above them if another module of the build raised the panic.
	Frames, Above []schemas.Frame
	Evidence
	// Target is the function that the last statement calls, nil until Describe.
	Target *types.Func
	// Called is the number of functions that the candidate called, PreChecked how many of these
	// have known preconditions, PreHeld in how many of these calls the preconditions held, and
	// ArgsHeld in how many those about arguments did; see the function ArgsHeld.
	Called, PreChecked, PreHeld, ArgsHeld int
	// Goroutine is set if the panic is in a goroutine that the candidate started.
	Goroutine bool
	// RaisedOutside is set if a library that the testee calls raised the panic.
	RaisedOutside bool
	// Mishandled is set if a deferred function recovered from the panic and then crashed itself, by a panic that the
	// runtime raised.
	Mishandled bool
	// Goal is set if the crash is one of the goals of the search.
	Goal bool
	// FoundAfter is the time from the start of the search until the crash was found, and Candidates the
	// number of candidates until then in a campaign: the same ones in each run.
	FoundAfter time.Duration
	Candidates int
}

// tableFile is the file of the harness that calls the operations.
const tableFile = "zz_dsd_table_test.go"

// ReadCrash reads the text of a panic of a candidate. place locates source files. It
// returns nil if the text is no panic, no frame is in the testee, or the process ran out of memory:
// its memory is limited by the confinement.
func ReadCrash(place stack.Place, text string) *Crash {
	p := stack.Parse(text)
	if p == nil || isOutOfMemory(p.Message) {
		return nil
	}
	x := &Crash{Kind: p.Kind, Message: p.Message, RaisedOutside: p.RaisedOutside(place)}
	x.Mishandled = slices.ContainsFunc(p.Later, func(message string) bool {
		return message != p.Message && stack.KindOf(message) != schemas.ExplicitPanic
	})
	if p.Kind == schemas.StackOverflow {
		p.Frames = withoutReports(place, p.Frames)
	}
	called := false
	x.Above, x.Frames = p.Within(place, func(file string) bool { // what follows is the harness
		called = called || inHarness(file)
		return inHarness(file)
	})
	x.Goroutine = !called && x.Kind != schemas.StackOverflow // whose text leaves out frames
	if len(x.Frames) == 0 {
		return nil
	}
	return x
}

func inHarness(file string) bool {
	return strings.HasSuffix(file, tableFile) || strings.Contains(file, instrument.RuntimeDir)
}

// withoutReports removes the harness's frames that are inside all of the testee's: the stack may be full in a call by
// which the rewritten testee reports what it does.
func withoutReports(place stack.Place, frames []stacktrace.Frame) []stacktrace.Frame {
	testee := slices.IndexFunc(frames, func(f stacktrace.Frame) bool {
		_, own := place(f.File)
		return own && !inHarness(f.File)
	})
	if testee < 0 {
		return frames
	}
	inner := slices.DeleteFunc(slices.Clone(frames[:testee]), func(f stacktrace.Frame) bool { return inHarness(f.File) })
	return append(inner, frames[testee:]...)
}

// Stack returns all frames, the panicking one first.
func (x *Crash) Stack() []schemas.Frame { return slices.Concat(x.Above, x.Frames) }

// Refuses reports whether the panic may be how the testee refuses arguments: it calls panic itself,
// or dereferences a nil argument.
func (x *Crash) Refuses() bool {
	return x.Kind == schemas.ExplicitPanic && !x.RaisedOutside && !x.Mishandled ||
		x.Kind == schemas.NilDeref && x.NilArgument
}

func isOutOfMemory(message string) bool {
	return strings.Contains(message, "out of memory") ||
		strings.Contains(message, "cannot allocate memory")
}

// Describe sets what the final candidate of a crash determines.
func (x *Crash) Describe(g *paramgraph.Graph) {
	last := &x.Program[len(x.Program)-1]
	x.Target = g.Table[last.Op].Func
	x.Fabricated = fabricated(g, x.Program)
}
