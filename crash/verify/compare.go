package verify

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"dsd/crash/stack"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Status is the result of comparing the run of a test with the crash that the test should show.
type Status int

// The statuses of a run.
const (
	Same     Status = iota // a panic of the expected kind at the expected line
	NotBuilt               // the test does not compile
	NoPanic                // the test ended, or was stopped, without a panic
	Other                  // a panic of another kind or at another position
)

// Expected is the crash that a test should show.
type Expected struct {
	Kind schemas.Kind
	// Pos is the position of the panic, relative to the testee's root. Its column is not
	// compared: stack traces have none.
	Pos string
	// File is the base name of the test's file. The frames of the crash end above the first
	// frame of that file.
	File string
}

// Verdict is the comparison of a run with the expected crash.
type Verdict struct {
	Status Status
	// Reason says why the status is not Same; "" if it is.
	Reason string
	// Kind, Message and Stack are those of the panic, the panicking frame first; set if the
	// status is Same or Other. Stack begins with the frames of another module of the build if that
	// raised the panic; it has no frames if none is in the testee.
	Kind    schemas.Kind
	Message string
	Stack   []schemas.Frame
	// RaisedOutside reports whether a library that the testee calls raised the panic.
	RaisedOutside bool
}

// Reasons of a Verdict.
const (
	ReasonNoPanic = "the test did not panic"
	reasonOther   = "the test raised another panic: %s at %s: %s" // kind, position, message
	outsideTestee = "a position outside the testee"
)

// Compare compares the run of a test with the crash that it should show, in the program that the
// test calls.
//
// An endless recursion ends in any of its frames. A stack overflow is therefore the expected one if
// any of its frames lies at the expected line.
func Compare(prog *source.Program, want Expected, r testrun.Result) Verdict {
	if r.NotBuilt {
		return Verdict{Status: NotBuilt, Reason: r.Err}
	}
	p := stack.Parse(r.Output)
	if p == nil {
		if r.Err != "" {
			return Verdict{Status: NoPanic, Reason: r.Err}
		}
		return Verdict{Status: NoPanic, Reason: ReasonNoPanic}
	}
	above, own := p.Within(prog.Place, func(name string) bool { return filepath.Base(name) == want.File })
	frames := slices.Concat(above, own)
	same := p.Kind == want.Kind && len(frames) > 0 && symbol.SameLine(frames[0].Pos, want.Pos)
	if p.Kind == schemas.StackOverflow && p.Kind == want.Kind {
		for _, f := range frames {
			same = same || symbol.SameLine(f.Pos, want.Pos)
		}
	}
	out := Verdict{
		Kind: p.Kind, Message: p.Message, Stack: CollapseRecursion(p.Kind, frames),
		RaisedOutside: p.RaisedOutside(prog.Place),
	}
	if !same {
		pos := outsideTestee
		if len(frames) > 0 {
			pos = frames[0].Pos
		}
		out.Status, out.Reason = Other, fmt.Sprintf(reasonOther, p.Kind, pos, p.Message)
	}
	return out
}

// TesteeFrames returns the frames of a panic that lie in the testee, the panicking frame first, up
// to the test in the named file.
func TesteeFrames(prog *source.Program, file string, p *stack.Panic) []schemas.Frame {
	_, own := p.Within(prog.Place, func(name string) bool { return filepath.Base(name) == file })
	return own
}

// CollapseRecursion returns the frames of a stack overflow, each once: those between which the recursion goes round,
// sorted by position, and then those that led into it. So stacks of the same recursion are equal however deep they are
// and in whatever function they end. It returns the frames of other kinds unchanged.
func CollapseRecursion(kind schemas.Kind, frames []schemas.Frame) []schemas.Frame {
	if kind != schemas.StackOverflow {
		return frames
	}
	times := map[schemas.Frame]int{}
	first, end := len(frames), len(frames) // of what recurs; all frames where the text does not show that anything does
	for i, f := range frames {
		if times[f]++; times[f] > 1 {
			first, end = min(first, slices.Index(frames, f)), i+1
		}
	}
	if first == len(frames) {
		first = 0
	}
	out := unique(frames[first:end])
	sort.SliceStable(out, func(i, j int) bool { return symbol.PosLess(out[i].Pos, out[j].Pos) })
	return append(out, frames[end:]...)
}

// unique returns the frames, each once.
func unique(frames []schemas.Frame) (out []schemas.Frame) {
	for _, f := range frames {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}
